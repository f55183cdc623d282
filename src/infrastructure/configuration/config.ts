import type { SignUpPolicy } from '../../domain/invitations/invitation.js';
import type { Sensitive } from '../../application/shared/sensitive.js';

export type Tier = 'free' | 'premium' | 'ultimate';
/** Requests a minute, or no limit. */
export type RateLimit = number | 'off';

/** The effective settings; see `docs/operations.md`. */
export interface Config {
  readonly databaseUrl: Sensitive;
  readonly databaseReplicaUrl: Sensitive | undefined;
  readonly databasePoolMax: number;
  readonly host: string;
  readonly port: number;
  /** Without a trailing slash; absent until the port is known. */
  readonly baseUrl: string | undefined;
  readonly secretKey: Sensitive | undefined;
  /** Opens what it sealed before, while a rotation runs. */
  readonly secretKeyPrevious: Sensitive | undefined;
  readonly rootPassword: Sensitive | undefined;
  readonly tier: Tier;
  readonly accessTokenTtlSeconds: number;
  readonly refreshGraceSeconds: number;
  readonly oauthDisabledFlows: readonly ('implicit' | 'password')[];
  readonly oauthPasswordGrantWithoutClient: boolean;
  /** Whether applications may register themselves: with a token of somebody, or without any. */
  readonly oauthRegistration: 'off' | 'token' | 'open';
  readonly alertPayloadLimitBytes: number;
  /** Absent means two calendar years. */
  readonly eventRetentionDays: number | undefined;
  /** Private networks (CIDR) that outgoing connections may reach. */
  readonly outboundAllowlist: readonly string[];
  /** Where repositories lie; never derived from where the database does. */
  readonly repositoriesDirectory: string;
  readonly gitBinary: string;
  readonly gitPushLimitBytes: number;
  /** How long a push may stand still. */
  readonly gitPushStallSeconds: number;
  /** Where files of CI jobs lie. */
  readonly artifactsDirectory: string;
  /** Of one of them. */
  readonly artifactLimitBytes: number;
  /** Of all files of a project; null for no limit. */
  readonly artifactsProjectLimitBytes: number | null;
  /** The same of files of packages. */
  readonly packageFileLimitBytes: number;
  readonly packagesProjectLimitBytes: number | null;
  /** How often projects are updated that follow a repository elsewhere. */
  readonly pullMirrorMinutes: number;
  /** How long logs of CI jobs are kept; undefined for as long as their pipelines. */
  readonly jobLogRetentionDays: number | undefined;
  readonly pipelineRetentionDays: number | undefined;
  /** Absent means that git isn't served over SSH. */
  readonly sshPort: number | undefined;
  readonly sshHost: string;
  readonly nodeEnv: 'development' | 'production' | 'test';
  readonly smtpUrl: Sensitive | undefined;
  readonly mailFrom: string;
  readonly rateLimits: { readonly api: RateLimit; readonly alerts: RateLimit; readonly signIn: RateLimit };
  /** Who may get an account without an administrator. */
  readonly signUp: SignUpPolicy;
  readonly workers: number;
  /** As Express's "trust proxy", but for `true`, which would believe what clients write themselves. */
  readonly trustProxy: false | number | string;
  /** When set, `/-/metrics` answers only those who send it as a Bearer token. */
  readonly metricsToken: Sensitive | undefined;
  readonly logLevel: 'error' | 'warn' | 'info' | 'debug';
  readonly logFormat: 'json' | 'pretty';
  /** When an archive is written, as cron has it; absent when none is. */
  readonly backupSchedule: string | undefined;
  readonly backupDirectory: string;
  readonly backupsKept: number;
  /** Whether archives have files of CI jobs. */
  readonly backupArtifacts: boolean;
  /** The public half of the key that archives are encrypted to. */
  readonly backupRecipient: string | undefined;
  readonly autoMigrate: boolean;
  readonly demo: boolean;
}
