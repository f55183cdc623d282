import { isIP } from 'node:net';
import { Ajv, type ErrorObject } from 'ajv';
import { Cron } from 'croner';
import { Sensitive } from '../../application/shared/sensitive.js';
import { notPublicHalf } from '../../domain/storage/backup-key.js';
import type { Config, RateLimit, Tier } from './config.js';

/** How one environment variable is read: a JSON schema over its text, and what is allowed in words. */
interface Setting {
  readonly default?: string;
  /** A pattern or a format says what is acceptable. */
  readonly pattern?: string;
  readonly format?: string;
  readonly allowed: string;
  readonly secret?: true;
}

const DATABASE_URL = '^(sqlite:.+|postgres(ql)?://.+)$';
const INTEGER = '^\\d{1,9}$';
const BOOLEAN = '^(true|false|1|0|yes|no|on|off)$';
const RATE = '^(off|[1-9]\\d{0,8})$';
const HTTP_URL = '^https?://[^\\s/?#@]+(/[^\\s?#]*)?$';
const SECRET_KEY = '^[A-Za-z0-9+/]{43}=$';
const HOST = '^[A-Za-z0-9.:_-]+$';
const HOST_ALLOWED = 'an address or a host name';
const PORT = '^(\\d{1,4}|[1-5]\\d{4}|6[0-4]\\d{3}|65[0-4]\\d{2}|655[0-2]\\d|6553[0-5])$';
const RATE_ALLOWED = '"off" or a whole number of requests a minute';
const BOOLEAN_ALLOWED = '"true" or "false"';

const integer = (defaultValue: string, allowed: string): Setting => ({
  default: defaultValue,
  pattern: INTEGER,
  allowed,
});
const boolean = (defaultValue: string): Setting => ({
  default: defaultValue,
  pattern: BOOLEAN,
  allowed: BOOLEAN_ALLOWED,
});

/** Every setting there is, in the order in which `gatehouse config` prints them; `docs/operations.md` explains each. */
export const SETTINGS = {
  DATABASE_URL: {
    default: 'sqlite:./data/gatehouse.sqlite',
    pattern: DATABASE_URL,
    allowed: 'sqlite:PATH, sqlite::memory: or postgres://…',
    secret: true,
  },
  DATABASE_REPLICA_URL: {
    pattern: '^postgres(ql)?://\\S+$',
    allowed: 'postgres://…, the address of a server that follows the one of DATABASE_URL',
    secret: true,
  },
  DATABASE_POOL_MAX: {
    default: '10',
    pattern: '^([2-9]|[1-9]\\d{1,3})$',
    allowed: 'a whole number of connections, at least 2 (one may hold a lock while another works)',
  },
  HOST: { default: '127.0.0.1', pattern: HOST, allowed: HOST_ALLOWED },
  PORT: {
    default: '8080',
    pattern: PORT,
    allowed: 'a port from 0 to 65535',
  },
  BASE_URL: { pattern: HTTP_URL, allowed: 'an http or https address without query' },
  SECRET_KEY: { pattern: SECRET_KEY, allowed: '32 bytes in base64', secret: true },
  SECRET_KEY_PREVIOUS: { pattern: SECRET_KEY, allowed: '32 bytes in base64', secret: true },
  ROOT_PASSWORD: { pattern: '^.{8,128}$', allowed: '8 to 128 characters', secret: true },
  TIER: { default: 'ultimate', pattern: '^(free|premium|ultimate)$', allowed: 'free, premium or ultimate' },
  ACCESS_TOKEN_TTL: integer('7200', 'a whole number of seconds; 0 means never'),
  REFRESH_GRACE_SECONDS: integer('30', 'a whole number of seconds'),
  OAUTH_DISABLED_FLOWS: {
    default: '',
    pattern: '^((implicit|password)(\\s*,\\s*(implicit|password))*)?$',
    allowed: 'any of implicit, password',
  },
  OAUTH_PASSWORD_GRANT_WITHOUT_CLIENT: boolean('false'),
  ALERT_PAYLOAD_LIMIT: {
    default: '1048576',
    pattern: '^[1-9]\\d{2,8}$',
    allowed: 'a whole number of bytes, at least 100',
  },
  EVENT_RETENTION_DAYS: { pattern: '^[1-9]\\d{0,5}$', allowed: 'a whole number of days, at least 1' },
  OUTBOUND_ALLOWLIST: {
    default: '',
    format: 'networks',
    allowed: 'addresses and networks such as 10.1.0.0/16, separated by commas',
  },
  NODE_ENV: {
    default: 'development',
    pattern: '^(development|production|test)$',
    allowed: 'development, production or test',
  },
  SMTP_URL: { pattern: '^smtps?://.+$', allowed: 'smtp://… or smtps://…', secret: true },
  MAIL_FROM: {
    default: 'gatehouse@localhost',
    pattern: '^[^\\r\\n]*[^\\s@<>]+@[^\\s@<>]+>?$',
    allowed: 'an e-mail address',
  },
  RATE_LIMIT_API: { default: 'off', pattern: RATE, allowed: RATE_ALLOWED },
  RATE_LIMIT_ALERTS: { default: 'off', pattern: RATE, allowed: RATE_ALLOWED },
  RATE_LIMIT_SIGN_IN: { default: '20', pattern: RATE, allowed: RATE_ALLOWED },
  SIGN_UP: { default: 'invite', pattern: '^(off|invite|open)$', allowed: 'off, invite or open' },
  WORKERS: { default: '1', pattern: '^[1-9]\\d?$', allowed: 'a whole number of processes from 1 to 99' },
  TRUST_PROXY: {
    default: 'false',
    format: 'trust-proxy',
    allowed: 'true, false, a number of hops, or addresses and networks of proxies, separated by commas',
  },
  METRICS_TOKEN: { pattern: '^[!-~]{16,255}$', allowed: '16 to 255 visible ASCII characters', secret: true },
  REPOSITORIES_DIR: { default: './data/repositories', pattern: '^[^\\u0000]+$', allowed: 'a folder' },
  GIT_BINARY: { default: 'git', pattern: '^[^\\u0000]+$', allowed: 'the name or path of git' },
  GIT_PUSH_LIMIT: {
    default: '2147483648',
    pattern: '^[1-9]\\d{2,14}$',
    allowed: 'a whole number of bytes, at least 100',
  },
  GIT_PUSH_STALL_SECONDS: {
    default: '45',
    pattern: '^[1-9]\\d{0,3}$',
    allowed: 'a whole number of seconds from 1 to 9999',
  },
  ARTIFACTS_DIR: { default: './data/artifacts', pattern: '^[^\\u0000]+$', allowed: 'a folder' },
  ARTIFACT_LIMIT: {
    default: '104857600',
    pattern: '^[1-9]\\d{2,14}$',
    allowed: 'a whole number of bytes, at least 100',
  },
  BACKUP_SCHEDULE: {
    default: 'off',
    format: 'schedule',
    allowed: '"off" or a time as cron has it, in UTC, such as "0 3 * * *"',
  },
  BACKUP_DIR: { default: './data/backups', pattern: '^[^\\u0000]+$', allowed: 'a folder' },
  BACKUP_RECIPIENT: {
    pattern: '^age1[0-9a-z]{20,4000}$',
    allowed: 'the public half of a key as age-keygen prints it, age1…',
  },
  BACKUP_KEEP: { default: '7', pattern: '^[1-9]\\d{0,3}$', allowed: 'a whole number of archives from 1 to 9999' },
  SSH_PORT: { pattern: PORT, allowed: 'a port from 0 to 65535' },
  SSH_HOST: { pattern: HOST, allowed: HOST_ALLOWED },
  LOG_LEVEL: { default: 'info', pattern: '^(error|warn|info|debug)$', allowed: 'error, warn, info or debug' },
  LOG_FORMAT: { default: 'json', pattern: '^(json|pretty)$', allowed: 'json or pretty' },
  AUTO_MIGRATE: boolean('true'),
  DEMO: boolean('false'),
} as const satisfies Record<string, Setting>;

export type SettingName = keyof typeof SETTINGS;
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

/** Whether there is a next time. */
const isSchedule = (value: string): boolean => {
  if (value === 'off') return true;
  try {
    return new Cron(value, { paused: true, utcOffset: 0 }).nextRun() !== null;
  } catch {
    return false;
  }
};

const validate = new Ajv({
  allErrors: true,
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
  return onServer ? problems : [...problems, ...onServersAlone(values)];
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
