import { isIP } from 'node:net';
import { Ajv, type ErrorObject } from 'ajv';
import { Cron } from 'croner';
import { Sensitive } from '../../application/shared/sensitive.js';
import { notPublicHalf } from '../../domain/storage/backup-key.js';
import type { Config, RateLimit, Tier } from './config.js';
import { DATABASE_URL, SETTINGS, type Setting, type SettingName } from './settings.js';

export type Environment = Readonly<Record<string, string | undefined>>;

/** Every problem of the settings, each a sentence. */
export class ConfigInvalid extends Error {
  constructor(readonly problems: readonly string[]) {
    super(problems.join('\n'));
  }
}

const settingOf = (name: string): Setting => SETTINGS[name as SettingName];

const list = (value: string | undefined): string[] =>
  (value ?? '')
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');

const PROXY_GROUPS = new Set(['loopback', 'linklocal', 'uniquelocal']);

/** An address, or a network in CIDR notation. */
const isNetwork = (entry: string): boolean => {
  const [address = '', bits, ...rest] = entry.split('/');
  const family = isIP(address);
  const inRange = bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (family === 4 ? 32 : 128));
  return family !== 0 && rest.length === 0 && inRange;
};

const isProxy = (entry: string): boolean => PROXY_GROUPS.has(entry) || isNetwork(entry);

const isTrustProxy = (value: string): boolean =>
  /^(?:true|false|\d{1,2})$/.test(value) || (list(value).length > 0 && list(value).every(isProxy));

const isNetworks = (value: string): boolean => list(value).every(isNetwork);

/** Five fields, or a name such as @daily. With a sixth the first would be seconds, and `* * * * * *` an archive each second. */
const SCHEDULE = /^\s*(?:@[a-z]+|\S+(?:\s+\S+){4})\s*$/i;

/** Whether there is a next time. */
const isSchedule = (value: string): boolean => {
  if (value === 'off') return true;
  if (!SCHEDULE.test(value)) return false;
  try {
    return new Cron(value, { paused: true, utcOffset: 0 }).nextRun() !== null;
  } catch {
    return false;
  }
};

const validate = new Ajv({
  allErrors: true,
  meta: false,
  validateSchema: false,
  formats: { 'trust-proxy': isTrustProxy, networks: isNetworks, schedule: isSchedule },
}).compile({
  type: 'object',
  properties: Object.fromEntries(
    Object.keys(SETTINGS).map((name) => {
      const { pattern, format } = settingOf(name);
      return [name, { type: 'string', ...(pattern && { pattern }), ...(format && { format }) }];
    }),
  ),
});

const sentence = (error: ErrorObject, values: Readonly<Record<string, string>>): string => {
  const name = error.instancePath.slice(1);
  if (name === 'BACKUP_RECIPIENT') return `BACKUP_RECIPIENT ${notPublicHalf(values[name] ?? '')}`;
  const { allowed, secret } = settingOf(name);
  const given = secret === true ? 'a value that is not shown' : `"${values[name] ?? ''}"`;
  return `${name} is ${given}, but must be ${allowed}.`;
};

/** The text of every setting: as given, else its default. An empty variable counts as absent. */
export const readValues = (environment: Environment): Record<string, string> => {
  const values: Record<string, string> = {};
  for (const name of Object.keys(SETTINGS)) {
    const given = environment[name];
    const value = given === undefined || given === '' ? settingOf(name).default : given;
    if (value !== undefined) values[name] = value;
  }
  return values;
};

/** Whether a text has the form of `DATABASE_URL`. */
export const isDatabaseUrl = (text: string): boolean =>
  new RegExp(DATABASE_URL).test(text) && (text.startsWith('sqlite:') || URL.canParse(text));

/** What one variable alone can't tell. */
const contradictions = (values: Readonly<Record<string, string>>): readonly string[] => {
  const onServer = /^postgres/.test(values['DATABASE_URL'] ?? '');
  const problems: string[] = [];
  if (onServer && !URL.canParse(values['DATABASE_URL'] ?? '')) {
    problems.push(
      'DATABASE_URL is a value that is not shown, but must be an address such as postgres://user:password@host/name.',
    );
  }
  if (onServer && values['SECRET_KEY'] === undefined) {
    problems.push(
      'SECRET_KEY is absent, but must be 32 bytes in base64 when DATABASE_URL is postgres://…: set the key that the database was first started with, the same on every node; for a new database make one by "openssl rand -base64 32" and keep it.',
    );
  }
  const { SECRET_KEY: key, SECRET_KEY_PREVIOUS: previous } = values;
  if (previous !== undefined && previous === key) {
    problems.push(
      'SECRET_KEY_PREVIOUS is the same as SECRET_KEY, but must be the key that was replaced, or absent when no rotation runs.',
    );
  }
  problems.push(...onePortForTwo(values));
  return onServer ? problems : [...problems, ...onServersAlone(values)];
};

const onePortForTwo = (values: Readonly<Record<string, string>>): readonly string[] => {
  const { PORT: port = '', SSH_PORT: sshPort, HOST: host, SSH_HOST: sshHost = host } = values;
  if (sshPort !== port || port === '0' || sshHost !== host) return [];
  return [`SSH_PORT is "${port}", but must be another port than PORT: two servers can't listen at one.`];
};

/** What a file has not. */
const onServersAlone = (values: Readonly<Record<string, string>>): readonly string[] => [
  ...(values['DATABASE_REPLICA_URL'] === undefined
    ? []
    : ['DATABASE_REPLICA_URL is set, but must be absent when DATABASE_URL is sqlite:…: a file has no replica.']),
  ...(values['WORKERS'] === '1'
    ? []
    : [
        `WORKERS is "${values['WORKERS'] ?? ''}", but must be 1 when DATABASE_URL is sqlite:…: one process owns the file.`,
      ]),
];

const isTrue = (value: string | undefined): boolean => /^(?:true|1|yes|on)$/.test(value ?? '');
const rate = (value: string | undefined): RateLimit => (value === undefined || value === 'off' ? 'off' : Number(value));
const sensitive = (value: string | undefined): Sensitive | undefined =>
  value === undefined ? undefined : new Sensitive(value);
const optionalNumber = (value: string | undefined): number | undefined =>
  value === undefined ? undefined : Number(value);

const unlessOff = (value: string | undefined): number | null =>
  value === undefined || value === 'off' ? null : Number(value);

const trustProxy = (value: string): false | number | string => {
  if (value === 'false') return false;
  // The proxy before it, and no more: what a client wrote itself stands before what that proxy added, and is nobody's word.
  if (value === 'true') return 1;
  return /^\d+$/.test(value) ? Number(value) : value;
};

const folder = (values: Readonly<Record<string, string>>, name: SettingName): string => values[name] ?? '';

const toConfig = (values: Readonly<Record<string, string>>): Config => ({
  databaseUrl: new Sensitive(values['DATABASE_URL'] ?? ''),
  databaseReplicaUrl: sensitive(values['DATABASE_REPLICA_URL']),
  databasePoolMax: Number(values['DATABASE_POOL_MAX']),
  host: values['HOST'] ?? '',
  port: Number(values['PORT']),
  baseUrl: values['BASE_URL']?.replace(/\/+$/, ''),
  secretKey: sensitive(values['SECRET_KEY']),
  secretKeyPrevious: sensitive(values['SECRET_KEY_PREVIOUS']),
  rootPassword: sensitive(values['ROOT_PASSWORD']),
  tier: values['TIER'] as Tier,
  accessTokenTtlSeconds: Number(values['ACCESS_TOKEN_TTL']),
  refreshGraceSeconds: Number(values['REFRESH_GRACE_SECONDS']),
  oauthDisabledFlows: list(values['OAUTH_DISABLED_FLOWS']) as Config['oauthDisabledFlows'],
  oauthRegistration: values['OAUTH_REGISTRATION'] as Config['oauthRegistration'],
  oauthPasswordGrantWithoutClient: isTrue(values['OAUTH_PASSWORD_GRANT_WITHOUT_CLIENT']),
  alertPayloadLimitBytes: Number(values['ALERT_PAYLOAD_LIMIT']),
  eventRetentionDays: optionalNumber(values['EVENT_RETENTION_DAYS']),
  outboundAllowlist: list(values['OUTBOUND_ALLOWLIST']),
  repositoriesDirectory: folder(values, 'REPOSITORIES_DIR'),
  gitBinary: values['GIT_BINARY'] ?? '',
  gitPushLimitBytes: Number(values['GIT_PUSH_LIMIT']),
  gitPushStallSeconds: Number(values['GIT_PUSH_STALL_SECONDS']),
  artifactsDirectory: folder(values, 'ARTIFACTS_DIR'),
  artifactLimitBytes: Number(values['ARTIFACT_LIMIT']),
  jobLogRetentionDays: optionalNumber(values['JOB_LOG_RETENTION_DAYS']),
  pipelineRetentionDays: optionalNumber(values['PIPELINE_RETENTION_DAYS']),
  artifactsProjectLimitBytes: unlessOff(values['ARTIFACTS_PROJECT_LIMIT']),
  packageFileLimitBytes: Number(values['PACKAGE_FILE_LIMIT']),
  packagesProjectLimitBytes: unlessOff(values['PACKAGES_PROJECT_LIMIT']),
  pullMirrorMinutes: Number(values['PULL_MIRROR_MINUTES']),
  sshPort: optionalNumber(values['SSH_PORT']),
  sshHost: values['SSH_HOST'] ?? values['HOST'] ?? '',
  nodeEnv: values['NODE_ENV'] as Config['nodeEnv'],
  smtpUrl: sensitive(values['SMTP_URL']),
  mailFrom: values['MAIL_FROM'] ?? '',
  rateLimits: {
    api: rate(values['RATE_LIMIT_API']),
    alerts: rate(values['RATE_LIMIT_ALERTS']),
    signIn: rate(values['RATE_LIMIT_SIGN_IN']),
  },
  signUp: values['SIGN_UP'] as Config['signUp'],
  workers: Number(values['WORKERS']),
  trustProxy: trustProxy(values['TRUST_PROXY'] ?? 'false'),
  metricsToken: sensitive(values['METRICS_TOKEN']),
  logLevel: values['LOG_LEVEL'] as Config['logLevel'],
  logFormat: values['LOG_FORMAT'] as Config['logFormat'],
  backupSchedule: values['BACKUP_SCHEDULE'] === 'off' ? undefined : values['BACKUP_SCHEDULE'],
  backupDirectory: folder(values, 'BACKUP_DIR'),
  backupRecipient: values['BACKUP_RECIPIENT'],
  backupArtifacts: isTrue(values['BACKUP_ARTIFACTS']),
  backupsKept: Number(values['BACKUP_KEEP']),
  autoMigrate: isTrue(values['AUTO_MIGRATE']),
  demo: isTrue(values['DEMO']),
});

/** @throws ConfigInvalid with a sentence for every setting that is not acceptable. */
export const loadConfig = (environment: Environment): Config => {
  const values = readValues(environment);
  const problems = validate(values) ? [] : (validate.errors ?? []).map((error) => sentence(error, values));
  problems.push(...contradictions(values));
  if (problems.length > 0) throw new ConfigInvalid(problems);
  return toConfig(values);
};
