import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Container } from 'inversify';
import type { Clock } from '../application/shared/ports/clock.js';
import type { Logger } from '../application/shared/ports/logger.js';
import type { PasswordHasher } from '../application/identity/ports/password-hasher.js';
import type { Database } from '../adapters/outbound/persistence/knex/database.js';
import { createArgon2PasswordHasher } from '../adapters/outbound/security/argon2-password-hasher.js';
import { steadyClock, systemClock } from '../adapters/outbound/system/system-clock.js';
import type { SshServer } from '../adapters/inbound/ssh/ssh-server.js';
import { drainServer } from '../adapters/inbound/http/server/drain-server.js';
import { buildContainer } from './composition/build-container.js';
import type { AnyContext, WorkLoop } from './composition/context.js';
import { ALERT_TOKENS } from './composition/alerts.tokens.js';
import { IDENTITY_TOKENS } from './composition/identity.tokens.js';
import { KEY_TOKENS } from './composition/keys.tokens.js';
import { NOTIFICATION_TOKENS } from './composition/notifications.tokens.js';
import { OAUTH_TOKENS } from './composition/oauth.tokens.js';
import { REPOSITORY_TOKENS } from './composition/repositories.tokens.js';
import { TOKENS, type Probes } from './composition/tokens.js';
import type { Config } from './configuration/config.js';
import { endsWithin } from './ends-within.js';
import { listenFailure } from './explain-failure.js';
import { loggerOf, prepareDatabase } from './prepare-database.js';
import { nameNode, StorageWatch } from './storage-watch.js';
import { VERSION } from './version.js';
import { watchService } from './watch-service.js';

/** What a test may put in place of the real parts. */
export interface ServiceOptions {
  readonly clock?: Clock;
  /** What limits go by, which doesn't jump where the other one does. */
  readonly steadyClock?: Clock;
  readonly logger?: Logger;
  readonly passwordHasher?: PasswordHasher;
  readonly probes?: Probes;
  /** What the product is made of. */
  readonly contexts?: readonly AnyContext[];
  /** Whether what would hold up the main thread may have one of its own; only where the service was built. */
  readonly threads?: boolean;
  /** How often to ask a database that is out of reach before giving up; once by default. */
  readonly databaseAttempts?: number;
  /** Whether a new database is refused; else one is made. */
  readonly installed?: boolean;
  /** Whether what is scheduled runs by the clock; true by default. Else somebody else says when, as a test does. */
  readonly scheduled?: boolean;
  /** How long requests and what works beside them may take once the service was told to stop; 10 seconds by default. */
  readonly drainLimitMs?: number;
  /** How long a connection that waits for its next request is kept at the end; not at all by default. */
  readonly idleMs?: number;
}

const DRAIN_LIMIT_MS = 10_000;
/** What works beside requests has so long to end, however long those took. */
const LEAST_MS = 1_000;

/** The service with its database open and migrated; not listening yet. */
export class Service {
  #sshServer: SshServer | undefined;
  readonly #repairing = new AbortController();
  #repaired: Promise<void> = Promise.resolve();
  #started: readonly WorkLoop[] | undefined;

  private constructor(
    readonly container: Container,
    private readonly watch: StorageWatch,
    private readonly config: Config,
    private readonly options: Pick<ServiceOptions, 'scheduled' | 'drainLimitMs' | 'idleMs'>,
  ) {}

  /** @throws as `prepareDatabase`. */
  static async open(config: Config, options: ServiceOptions = {}): Promise<Service> {
    const { logger = loggerOf(config), clock = systemClock } = options;
    const node = nameNode();
    const { database: first, secretKeys } = await prepareDatabase(config, { ...options, logger, clock, node });
    const opening = { poolMax: config.databasePoolMax, node };
    const watch = new StorageWatch(first, { node, secretKeys, opening, logger });
    const { database } = watch;
    const container = buildContainer(
      {
        config,
        publicAddress: { baseUrl: config.baseUrl ?? '' },
        secretKeys,
        clock,
        steadyClock: options.steadyClock ?? steadyClock,
        logger,
        passwordHasher: options.passwordHasher ?? createArgon2PasswordHasher(),
        probes: options.probes ?? {},
        threads: options.threads ?? false,
        moves: watch,
      },
      database,
      options.contexts,
    );
    watchService(container.get(TOKENS.metrics), { database, moves: watch, version: VERSION });
    watch.start();
    return new Service(container, watch, config, options);
  }

  get database(): Database {
    return this.watch.database;
  }

  /** Listens, and answers the public address. */
  async listen(): Promise<string> {
    const server = this.#server;
    const { port, host, sshPort, sshHost } = this.config;
    server.listen(port, host);
    await once(server, 'listening').catch((error: unknown) => {
      throw listenFailure(error, { port, host, settings: ['PORT', 'HOST'] });
    });
    const address = this.container.get(TOKENS.publicAddress);
    address.baseUrl = this.config.baseUrl ?? `http://localhost:${(server.address() as AddressInfo).port}`;
    if (sshPort !== undefined) {
      this.#sshServer = await this.container.get(REPOSITORY_TOKENS.openSshServer)();
      address.sshPort = await this.#sshServer.listen(sshPort, sshHost).catch((error: unknown) => {
        throw listenFailure(error, { port: sshPort, host: sshHost, settings: ['SSH_PORT', 'SSH_HOST'] });
      });
      this.#logger.info('serving git over SSH', { host: sshHost, port: address.sshPort });
    }
    this.container.get(TOKENS.jobLoop).start();
    // Made in any case, since its tasks tell what they count from the start.
    const scheduler = this.container.get(TOKENS.scheduler);
    if (this.options.scheduled ?? true) scheduler.start();
    this.container.get(NOTIFICATION_TOKENS.mailLoop).start();
    for (const { loop } of this.#loops) loop.start();
    // Before the clock comes round: what a crash left undone is made good at once.
    this.#repaired = this.container.get(REPOSITORY_TOKENS.repositories).keepStores.execute(this.#repairing.signal);
    this.#repaired.catch((error: unknown) =>
      this.#logger.warn('repositories were not made good', { error: String(error) }),
    );
    const wakeUps = this.container.get(TOKENS.wakeUps);
    wakeUps.jobs = () => this.container.get(TOKENS.jobLoop).nudge();
    wakeUps.mail = () => this.container.get(NOTIFICATION_TOKENS.mailLoop).nudge();
    for (const { does, loop } of this.#loops) wakeUps[does] = () => loop.nudge();
    return address.baseUrl;
  }

  /** The port it really listens on. */
  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  /**
   * Takes no new request, finishes those that run, writes what was gathered, and lets go of the database. What hangs is left behind when
   * its time is over: whoever takes it up next finds it as after a crash.
   */
  async close(): Promise<void> {
    const { drainLimitMs = DRAIN_LIMIT_MS, idleMs = 0 } = this.options;
    const endsAt = performance.now() + drainLimitMs;
    // Told beside the requests: what runs by the clock may be in the middle of something long.
    const scheduled = this.container.get(TOKENS.scheduler).stop();
    await Promise.all([
      drainServer(this.#server, { limitMs: drainLimitMs, idleMs }),
      this.#sshServer?.close(drainLimitMs),
    ]);
    const end = async (what: string, ending: Promise<unknown>): Promise<void> => {
      const left = Math.max(endsAt - performance.now(), Math.min(LEAST_MS, drainLimitMs));
      if (!(await endsWithin(left, ending))) this.#logger.warn('something did not end in time', { what });
    };
    await Promise.all([end('scheduled tasks', scheduled), end('work beside requests', this.#endWork())]);
    await end('what the service holds', this.#letGo());
  }

  async #endWork(): Promise<void> {
    for (const { hurryUp } of this.#loops) hurryUp?.();
    await Promise.all([
      this.container.get(TOKENS.jobLoop).stop(),
      this.container.get(NOTIFICATION_TOKENS.mailLoop).stop(),
      ...this.#loops.map(({ loop }) => loop.stop()),
    ]);
  }

  async #letGo(): Promise<void> {
    await this.#writeUses();
    await this.container.get(ALERT_TOKENS.takingOfAlerts).close();
    this.#repairing.abort();
    await this.#repaired.catch(() => undefined);
    await this.container.get(REPOSITORY_TOKENS.repositories).projectRefs.settle();
    this.container.get(REPOSITORY_TOKENS.codePages).markup.close();
    this.container.get(REPOSITORY_TOKENS.apiMarkup).close();
    this.container.get(REPOSITORY_TOKENS.gitStores).close();
    await this.watch.stop();
    await this.database.close();
  }

  // When a token was last used, and how often somebody fetched, is good to know, and no reason not to end.
  async #writeUses(): Promise<void> {
    try {
      await this.container.get(IDENTITY_TOKENS.identity).tokenUses.flush();
      await this.container.get(OAUTH_TOKENS.oauthReaders).grantUses.flush();
      const { keyUses, deployTokenUses } = this.container.get(KEY_TOKENS.keys);
      await keyUses.flush();
      await deployTokenUses.flush();
      await this.container.get(REPOSITORY_TOKENS.repositories).fetchCounts.flush();
    } catch (error) {
      this.#logger.warn('uses of tokens and fetches were not written', { error: String(error) });
    }
  }

  get #logger(): Logger {
    return this.container.get(TOKENS.logger);
  }

  /** Made once: what is started is what is stopped. */
  get #loops(): readonly WorkLoop[] {
    const get = this.container.get(TOKENS.get);
    return (this.#started ??= this.container.get(TOKENS.contexts).flatMap(({ loops }) => loops?.(get) ?? []));
  }

  get #server(): Server {
    return this.container.get(TOKENS.server);
  }
}
