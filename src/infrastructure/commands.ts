import type { CommandHandlers } from '../adapters/inbound/cli/create-program.js';
import { openDatabase } from '../adapters/outbound/persistence/knex/dialect/open-database.js';
import { Migrator } from '../adapters/outbound/persistence/knex/migrate.js';
import { createArchiveCommands } from './archive-commands.js';
import { OAUTH_TOKENS } from './composition/oauth.tokens.js';
import { createWithService, type CommandParts, type WithService } from './command-service.js';
import { describeConfig } from './configuration/describe-config.js';
import { databaseFailure } from './database-failure.js';
import { describePlan } from './describe-plan.js';
import { prepareDemo } from './first-start.js';
import { refuseWithoutFile } from './installed.js';
import { serve } from './serve.js';
import { serveByWorkers } from './serve-by-workers.js';
import { migrateDatabase, MIGRATIONS_DIRECTORY } from './migrate-database.js';
import { loggerOf, refuseUnlessPrimary } from './prepare-database.js';
import { describeRotation, rotateSecretKey } from './rotate-secret-key.js';
import { createRepositoryCommands } from './repository-commands.js';
import { createRunnerCommands } from './runner-command.js';
import { createSecurityCommands } from './security-command.js';
import { createStorageCommands } from './storage-commands.js';
import { createTokenCommands } from './token-commands.js';
import { createUserCommands } from './user-commands.js';
import { createV3Commands } from './v3-command.js';

/** What the `gatehouse` commands do, each on a service that does not listen. */
export const createCommands = (parts: CommandParts): CommandHandlers => {
  const { config, environment, print, tell } = parts;
  const withService = createWithService(config);

  return {
    serve: () => {
      const effective = config();
      return effective.workers === 1 ? serve(effective, print) : serveByWorkers(effective, print);
    },

    migrate: async ({ status, plan }) => {
      const effective = config();
      const url = effective.databaseUrl.reveal();
      // To look at what is there makes nothing.
      if (status === true || plan === true) refuseWithoutFile(url);
      const database = openDatabase({ url, poolMax: effective.databasePoolMax });
      try {
        await database.ping().catch((error: unknown) => {
          throw databaseFailure(error, url);
        });
        const migrator = new Migrator(database, MIGRATIONS_DIRECTORY);
        if (status === true) {
          const { applied, pending } = await migrator.status();
          applied.forEach((name) => print(`applied  ${name}`));
          pending.forEach((name) => print(`pending  ${name}`));
          return;
        }
        await refuseUnlessPrimary(database);
        if (plan === true) return describePlan(await migrator.plan()).forEach(print);
        const applied = await migrateDatabase(database, loggerOf({ ...effective, logLevel: 'error' }));
        tell(applied.length === 0 ? 'Nothing to do.' : `Applied ${applied.join(', ')}.`);
      } finally {
        await database.close();
      }
    },

    ...createUserCommands(parts, withService),
    ...createTokenCommands(parts, withService),
    ...createRepositoryCommands(parts, withService),
    ...createStorageCommands(parts),
    ...createArchiveCommands(parts),
    ...createRunnerCommands(environment, print),
    ...createSecurityCommands(parts),
    ...createV3Commands(parts),

    demo: createDemo(parts, withService),

    rotateKeys: () =>
      withService(async ({ container }) => {
        const kid = await container.get(OAUTH_TOKENS.oauth).signingKeys.rotate();
        tell(`The key ${kid} signs from now on; the one before it verifies until its tokens have expired.`);
      }),

    rotateSecretKey: async () => describeRotation(await rotateSecretKey(config())).forEach(tell),

    config: () => {
      config();
      describeConfig(environment).forEach(print);
      return Promise.resolve();
    },
  };
};

const createDemo =
  ({ print }: CommandParts, withService: WithService) =>
  (): Promise<void> =>
    withService(
      async (service) => {
        const { rootPassword, demo } = await prepareDemo(service);
        const { people, token } = demo;
        if (rootPassword !== undefined) print(`root ${rootPassword}`);
        for (const { username, password } of people) print(`${username} ${password}`);
        print(`token ${token}`);
      },
      { begins: true },
    );
