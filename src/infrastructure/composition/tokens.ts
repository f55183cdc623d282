import type { Express, Router } from 'express';
import type { Server } from 'node:http';
import type { JobRunner } from '../../application/shared/jobs/job-runner.js';
import type { ScheduledTask, Scheduler } from '../../adapters/inbound/scheduler/scheduler.js';
import type { JobLoop } from '../../adapters/inbound/scheduler/job-loop.js';
import type { CallerServices } from '../../adapters/inbound/http/authentication/admit-caller.js';
import type { PageFlash } from '../../adapters/inbound/http/pages/page-flash.js';
import type { PageSessions } from '../../adapters/inbound/http/pages/page-session.js';
import type { LimitPerAddress } from '../../adapters/inbound/http/middleware/limit-per-address.js';
import type { LimitSignIn } from '../../adapters/inbound/http/middleware/sign-in-limit.js';
import type { OAuthEndpointDeclaration } from '../../adapters/inbound/http/oauth/oauth-endpoint.js';
import type { Counting } from '../../adapters/inbound/http/middleware/limit-per-minute.js';
import type { Clock } from '../../application/shared/ports/clock.js';
import type { Logger } from '../../application/shared/ports/logger.js';
import type { SecretBox, SecretDigester, SecretSource } from '../../application/shared/ports/secrets.js';
import type { UnitOfWork } from '../../application/shared/unit-of-work.js';
import type { PasswordHasher } from '../../application/identity/ports/password-hasher.js';
import type { Database } from '../../adapters/outbound/persistence/knex/database.js';
import type { Metrics } from '../../adapters/outbound/system/prometheus-metrics.js';
import type { Route } from '../../adapters/inbound/http/route.js';
import type { WebUrls } from '../../adapters/inbound/http/web-urls.js';
import type { Config } from '../configuration/config.js';
import type { AlertThread, ThreadParts } from '../alert-thread/alert-thread.js';
import type { ThreadSettings } from '../alert-thread/messages.js';
import type { pruneInThread } from '../retention-thread/retention-thread.js';
import type { ScheduledBackups } from '../scheduled-backups.js';
import type { AnyContext, Get, ScheduledWork } from './context.js';
import type { LeftWork } from './storage.js';
import type { COUNTERS, Repositories } from './storages.js';
import type { MovesInSight } from '../../application/storage/move-in-sight.js';
import { token } from './token.js';

/** The public address, known for certain once the server listens. */
export interface PublicAddress {
  baseUrl: string;
  /** Where git is served over SSH, once it is. */
  sshPort?: number;
}

/** What makes, digests and seals secrets. */
export interface Secrecy {
  readonly secrets: SecretSource;
  readonly digester: SecretDigester;
  readonly secretBox: SecretBox;
}

/** Called when something is due that would else be found within a second; the service puts its loops in place. */
export type WakeUps = { [Work in LeftWork | 'mail']?: () => void };

/** What may run beside the main thread. */
export interface Threads {
  readonly startAlertThread?: (
    settings: Omit<ThreadSettings, 'secretKeys'>,
    parts: ThreadParts,
  ) => Promise<AlertThread>;
  readonly pruneInThread?: typeof pruneInThread;
}

/** What the pages share. */
export interface PageParts {
  readonly pageSessions: PageSessions;
  readonly limitSignIn: LimitSignIn;
  readonly flash: PageFlash;
  readonly urls: WebUrls;
}

/** What a test puts in place of the real thing or listens with; empty in production. */
export interface Probes {
  readonly onAnswer?: (route: Route | OAuthEndpointDeclaration, status: number, body: unknown) => void;
}

export const TOKENS = {
  contexts: token<readonly AnyContext[]>('Contexts'),
  get: token<Get>('Get'),
  config: token<Config>('Config'),
  publicAddress: token<PublicAddress>('PublicAddress'),
  probes: token<Probes>('Probes'),
  moves: token<MovesInSight>('MovesInSight'),
  threads: token<Threads>('Threads'),
  clock: token<Clock>('Clock'),
  steadyClock: token<Clock>('SteadyClock'),
  logger: token<Logger>('Logger'),
  metrics: token<Metrics<typeof COUNTERS>>('Metrics'),
  secretSource: token<SecretSource>('SecretSource'),
  secretDigester: token<SecretDigester>('SecretDigester'),
  secretBox: token<SecretBox>('SecretBox'),
  trackerTokenBox: token<SecretBox>('TrackerTokenBox'),
  cursorBox: token<SecretBox>('CursorBox'),
  unsubscribeBox: token<SecretBox>('UnsubscribeBox'),
  passwordHasher: token<PasswordHasher>('PasswordHasher'),
  wakeUps: token<WakeUps>('WakeUps'),
  database: token<Database>('Database'),
  counting: token<Counting>('Counting'),
  unitOfWork: token<UnitOfWork<Repositories>>('UnitOfWork'),
  secrecy: token<Secrecy>('Secrecy'),
  jobRunner: token<JobRunner<Repositories>>('JobRunner'),
  jobLoop: token<JobLoop>('JobLoop'),
  cleanUp: token<ScheduledWork>('CleanUp'),
  scheduledBackups: token<ScheduledBackups>('ScheduledBackups'),
  backups: token<readonly ScheduledTask[]>('Backups'),
  scheduler: token<Scheduler>('Scheduler'),
  pageSessions: token<PageSessions>('PageSessions'),
  limitSignIn: token<LimitSignIn>('LimitSignIn'),
  limitRegistration: token<LimitPerAddress>('LimitRegistration'),
  pageParts: token<PageParts>('PageParts'),
  webUrls: token<WebUrls>('WebUrls'),
  routes: token<readonly Route[]>('Routes'),
  operationsRouter: token<Router>('OperationsRouter'),
  callers: token<Pick<CallerServices, 'identifyActor' | 'limitRequests'>>('Callers'),
  pagesRouter: token<Router>('PagesRouter'),
  app: token<Express>('Express'),
  server: token<Server>('Server'),
} as const;
