import type { UserProfile } from '../application/identity/ports/identity-readers.js';
import { OPERATOR } from '../application/identity/requester.js';
import { onOccasion } from '../adapters/occasions/current-occasion.js';
import { IDENTITY_TOKENS } from './composition/identity.tokens.js';
import type { Config } from './configuration/config.js';
import type { Environment } from './configuration/load-config.js';
import { Service } from './service.js';

export interface CommandParts {
  /** @throws ConfigInvalid. */
  readonly config: () => Config;
  readonly environment: Environment;
  /** For what was asked for, and it alone. */
  readonly print: (line: string) => void;
  /** For everything else. */
  readonly tell: (line: string) => void;
}

export interface ServiceForCommand {
  /** Whether it may be the first of a new installation, as `serve` may; else one that is there already is asked for. */
  readonly begins?: true;
}

export type WithService = (work: (service: Service) => Promise<void>, options?: ServiceForCommand) => Promise<void>;

/**
 * Runs a command on a service that does not listen, and closes it afterwards. A mistyped address makes a new installation
 * only where the command may begin one.
 */
export const createWithService =
  (config: () => Config): WithService =>
  async (work, { begins = false } = {}) => {
    const effective = config();
    const service = await Service.open({ ...effective, logLevel: 'error' }, { installed: !begins });
    try {
      await onOccasion({ by: OPERATOR, clientAddress: null }, () => work(service));
    } finally {
      await service.close();
    }
  };

/** @throws Error with a sentence when there is no such user. */
export const findUser = async ({ container }: Service, username: string): Promise<UserProfile> => {
  const user = await container.get(IDENTITY_TOKENS.identityReaders).users.findByUsername(username);
  if (user === undefined) throw new Error(`There is no user "${username}".`);
  return user;
};
