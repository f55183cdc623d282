import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import type { Container } from 'inversify';
import type { Clock } from '../application/shared/ports/clock.js';
import type { Logger } from '../application/shared/ports/logger.js';
import type { PasswordHasher } from '../application/identity/ports/password-hasher.js';
import type { Database } from '../adapters/outbound/persistence/knex/database.js';
import { openDatabase } from '../adapters/outbound/persistence/knex/dialect/open-database.js';
import { Migrator } from '../adapters/outbound/persistence/knex/migrate.js';
import { createArgon2PasswordHasher } from '../adapters/outbound/security/argon2-password-hasher.js';
import { systemClock } from '../adapters/outbound/system/system-clock.js';
import { createWinstonLogger } from '../adapters/outbound/system/winston-logger.js';
import { buildContainer } from './composition/build-container.js';
import { TOKENS, type Probes } from './composition/tokens.js';
import type { Config } from './configuration/config.js';

// The same three steps up from `src/infrastructure` and from `dist/infrastructure`.
export const MIGRATIONS_DIRECTORY = fileURLToPath(new URL('../../migrations', import.meta.url));

/** What a test may put in place of the real parts. */
export interface ServiceOptions {
  readonly secretKey: Buffer;
  readonly clock?: Clock;
  readonly logger?: Logger;
  readonly passwordHasher?: PasswordHasher;
  readonly probes?: Probes;
}

/** The service with its database open and migrated; not listening yet. */
export class Service {
  private constructor(
    readonly container: Container,
    readonly database: Database,
    private readonly config: Config,
  ) {}

  /** @throws Unavailable when the database is out of reach. */
  static async open(config: Config, options: ServiceOptions): Promise<Service> {
    const logger = options.logger ?? createWinstonLogger({ level: config.logLevel, format: config.logFormat });
    const database = openDatabase({ url: config.databaseUrl.reveal(), poolMax: config.databasePoolMax });
    if (config.autoMigrate) await new Migrator(database, MIGRATIONS_DIRECTORY).migrate();
    const container = buildContainer(
      {
        config,
        publicAddress: { baseUrl: config.baseUrl ?? '' },
        secretKey: options.secretKey,
        clock: options.clock ?? systemClock,
        logger,
        passwordHasher: options.passwordHasher ?? createArgon2PasswordHasher(),
        probes: options.probes ?? {},
      },
      database,
    );
    return new Service(container, database, config);
  }

  /** Listens, and answers the public address. */
  async listen(): Promise<string> {
    const server = this.#server;
    server.listen(this.config.port, this.config.host);
    await once(server, 'listening');
    const address = this.container.get(TOKENS.publicAddress);
    address.baseUrl = this.config.baseUrl ?? `http://localhost:${(server.address() as AddressInfo).port}`;
    this.container.get(TOKENS.jobLoop).start();
    return address.baseUrl;
  }

  /** The port it really listens on. */
  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  /** Takes no new request, finishes those that run, writes what was gathered, and lets go of the database. */
  async close(): Promise<void> {
    const server = this.#server;
    if (server.listening) {
      server.close();
      server.closeIdleConnections();
      await once(server, 'close');
    }
    await this.container.get(TOKENS.jobLoop).stop();
    await this.container.get(TOKENS.identity).tokenUses.flush();
    await this.database.close();
  }

  get #server(): Server {
    return this.container.get(TOKENS.server);
  }
}
