import { existsSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import { OPERATOR, operatorsPassword } from '../application/identity/requester.js';
import type { CommandHandlers } from '../adapters/inbound/cli/create-program.js';
import { openDatabase } from '../adapters/outbound/persistence/knex/dialect/open-database.js';
import { Migrator } from '../adapters/outbound/persistence/knex/migrate.js';
import { isCalendarDay } from '../domain/shared/calendar-day.js';
import { isScope } from '../domain/shared/scope.js';
import type { UserProfile } from '../application/identity/ports/identity-readers.js';
import { IDENTITY_TOKENS } from './composition/identity.tokens.js';
import { OAUTH_TOKENS } from './composition/oauth.tokens.js';
import { TOKENS } from './composition/tokens.js';
import type { Config } from './configuration/config.js';
import { describeConfig, type Environment } from './configuration/load-config.js';
import { resolveSecretKey, secretKeyFile } from './configuration/secret-key.js';
import { fillDemo } from './demo.js';
import { serve } from './serve.js';
import { serveByWorkers } from './serve-by-workers.js';
import { MIGRATIONS_DIRECTORY, Service } from './service.js';

export interface CommandParts {
  /** @throws ConfigInvalid. */
  readonly config: () => Config;
  readonly environment: Environment;
  /** For what was asked for, and it alone. */
  readonly print: (line: string) => void;
  /** For everything else. */
  readonly tell: (line: string) => void;
}

/** What the `gatehouse` commands do, each on a service that does not listen. */
export const createCommands = ({ config, environment, print, tell }: CommandParts): CommandHandlers => {
  const withService = async (work: (service: Service) => Promise<void>): Promise<void> => {
    const effective = config();
    const service = await Service.open({ ...effective, logLevel: 'error' }, { secretKey: resolveSecretKey(effective) });
    try {
      await work(service);
    } finally {
      await service.close();
    }
  };

  const findUser = async ({ container }: Service, username: string): Promise<UserProfile> => {
    const user = await container.get(IDENTITY_TOKENS.identityReaders).users.findByUsername(username);
    if (user === undefined) throw new Error(`There is no user "${username}".`);
    return user;
  };

  /** The password of the standard input, or a generated one that is to be printed. */
  const choosePassword = async (
    { container }: Service,
    fromStdin: boolean,
  ): Promise<{ password: string; generated: boolean }> =>
    fromStdin
      ? { password: (await text(process.stdin)).replace(/\r?\n$/, ''), generated: false }
      : { password: container.get(TOKENS.secretSource).token(), generated: true };

  return {
    serve: () => {
      const effective = config();
      return effective.workers === 1 ? serve(effective, print) : serveByWorkers(effective, print);
    },

    migrate: async ({ status }) => {
      const { databaseUrl, databasePoolMax } = config();
      const database = openDatabase({ url: databaseUrl.reveal(), poolMax: databasePoolMax });
      try {
        const migrator = new Migrator(database, MIGRATIONS_DIRECTORY);
        if (status === true) {
          const { applied, pending } = await migrator.status();
          applied.forEach((name) => print(`applied  ${name}`));
          pending.forEach((name) => print(`pending  ${name}`));
          return;
        }
        const applied = await migrator.migrate();
        tell(applied.length === 0 ? 'Nothing to do.' : `Applied ${applied.join(', ')}.`);
      } finally {
        await database.close();
      }
    },

    createUser: ({ username, email, name, passwordStdin, admin }) =>
      withService(async (service) => {
        const { password, generated } = await choosePassword(service, passwordStdin === true);
        const { createUser } = service.container.get(IDENTITY_TOKENS.identity);
        await createUser.execute(OPERATOR, {
          username,
          email,
          name: name ?? username,
          password: operatorsPassword(password),
          admin: admin === true,
          skipConfirmation: true,
          sendPasswordLink: false,
        });
        if (generated) print(password);
      }),

    resetPassword: ({ username, passwordStdin }) =>
      withService(async (service) => {
        const user = await findUser(service, username);
        const { password, generated } = await choosePassword(service, passwordStdin === true);
        await service.container
          .get(IDENTITY_TOKENS.identity)
          .administerUsers.resetPassword(OPERATOR, user.id, operatorsPassword(password));
        if (generated) print(password);
      }),

    disableTwoFactor: ({ username }) =>
      withService(async (service) => {
        const user = await findUser(service, username);
        await service.container.get(IDENTITY_TOKENS.identity).administerUsers.disableTwoFactor(OPERATOR, user.id);
        tell(`${user.username} signs in without a second factor now.`);
      }),

    createToken: ({ user, scopes, name, expiresAt }) =>
      withService(async (service) => {
        const names = scopes.split(',').map((scope) => scope.trim());
        const unknown = names.filter((scope) => !isScope(scope));
        if (unknown.length > 0) throw new Error(`There is no scope "${unknown.join('", "')}".`);
        if (expiresAt !== undefined && !isCalendarDay(expiresAt))
          throw new Error(`"${expiresAt}" is no day of the form YYYY-MM-DD.`);
        const owner = await findUser(service, user);
        const created = await service.container.get(IDENTITY_TOKENS.identity).personalAccessTokens.create(OPERATOR, {
          userId: owner.id,
          name,
          scopes: names.filter(isScope),
          expiresAt: expiresAt ?? null,
        });
        print(created.secret);
      }),

    revokeToken: ({ id }) =>
      withService(async (service) => {
        if (!/^\d{1,15}$/.test(id)) throw new Error(`"${id}" is no number of a token.`);
        await service.container.get(IDENTITY_TOKENS.identity).personalAccessTokens.revoke(OPERATOR, Number(id));
        tell(`Token ${id} is revoked.`);
      }),

    demo: () =>
      withService(async (service) => {
        const { people, token } = await fillDemo(service);
        for (const { username, password } of people) print(`${username} ${password}`);
        print(`token ${token}`);
      }),

    backup: async ({ to }) => {
      const { databaseUrl, databasePoolMax } = config();
      if (existsSync(to)) throw new Error(`${to} exists already.`);
      const database = openDatabase({ url: databaseUrl.reveal(), poolMax: databasePoolMax });
      try {
        await database.backup(to);
      } finally {
        await database.close();
      }
      const keyFile = secretKeyFile(databaseUrl.reveal());
      tell(`The copy is in ${to}. The secret key belongs with it: ${keyFile ?? 'SECRET_KEY'}.`);
    },

    rotateKeys: () =>
      withService(async ({ container }) => {
        const kid = await container.get(OAUTH_TOKENS.oauth).signingKeys.rotate();
        tell(`The key ${kid} signs from now on; the one before it verifies until its tokens have expired.`);
      }),

    config: () => {
      config();
      describeConfig(environment).forEach(print);
      return Promise.resolve();
    },
  };
};
