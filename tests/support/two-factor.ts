import { generateSync } from 'otplib';
import { ProvedPerson } from '../../src/application/identity/prove-identity.js';
import { IDENTITY_TOKENS } from '../../src/infrastructure/composition/identity.tokens.js';
import { addSession } from './opened-session.js';
import type { TestService } from './test-service.js';
import type { UserId } from '../../src/domain/shared/identifiers.js';

/** The code that an authenticator with this secret shows now, by the clock of the service. */
export const codeNow = (service: TestService, secret: string): string =>
  generateSync({ secret, epoch: Math.floor(service.clock.now().getTime() / 1_000) });

/** Somebody who has just proved who they are, in a session of their own. */
export const provedPerson = async (service: TestService, userId: UserId): Promise<ProvedPerson> => {
  const { session } = await addSession(service, userId);
  return new ProvedPerson(userId, session.id, '127.0.0.1', true);
};

/** Turns the second factor of a user on, and answers the secret of the authenticator. */
export const turnOnTwoFactor = async (service: TestService, userId: UserId): Promise<string> => {
  const { twoFactor } = service.service.container.get(IDENTITY_TOKENS.identity);
  const secret = twoFactor.newSecret();
  await twoFactor.enable(await provedPerson(service, userId), { secret, code: codeNow(service, secret) });
  return secret;
};
