/** How one environment variable is read: a JSON schema over its text, and what is allowed in words. */
export interface Setting {
  readonly default?: string;
  /** A pattern or a format says what is acceptable. */
  readonly pattern?: string;
  readonly format?: string;
  readonly allowed: string;
  readonly secret?: true;
}

export const DATABASE_URL = '^(sqlite:.+|postgres(ql)?://.+)$';
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
  OAUTH_REGISTRATION: { default: 'off', pattern: '^(off|token|open)$', allowed: 'off, token or open' },
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
  ARTIFACTS_PROJECT_LIMIT: {
    default: '10737418240',
    pattern: '^(off|[1-9]\\d{2,14})$',
    allowed: '"off" or a whole number of bytes, at least 100',
  },
  PACKAGE_FILE_LIMIT: {
    default: '1073741824',
    pattern: '^[1-9]\\d{2,14}$',
    allowed: 'a whole number of bytes, at least 100',
  },
  PACKAGES_PROJECT_LIMIT: {
    default: '10737418240',
    pattern: '^(off|[1-9]\\d{2,14})$',
    allowed: '"off" or a whole number of bytes, at least 100',
  },
  PULL_MIRROR_MINUTES: {
    default: '30',
    pattern: '^([5-9]|[1-9]\\d{1,3})$',
    allowed: 'a whole number of minutes from 5 to 9999',
  },
  JOB_LOG_RETENTION_DAYS: { pattern: '^[1-9]\\d{0,5}$', allowed: 'a whole number of days, at least 1' },
  PIPELINE_RETENTION_DAYS: { pattern: '^[1-9]\\d{0,5}$', allowed: 'a whole number of days, at least 1' },
  BACKUP_SCHEDULE: {
    default: 'off',
    format: 'schedule',
    allowed: '"off" or a time as cron has it, in five fields and UTC, such as "0 3 * * *"',
  },
  BACKUP_DIR: { default: './data/backups', pattern: '^[^\\u0000]+$', allowed: 'a folder' },
  BACKUP_RECIPIENT: {
    pattern: '^age1[0-9a-z]{20,4000}$',
    allowed: 'the public half of a key as age-keygen prints it, age1…',
  },
  BACKUP_ARTIFACTS: boolean('true'),
  BACKUP_KEEP: { default: '7', pattern: '^[1-9]\\d{0,3}$', allowed: 'a whole number of archives from 1 to 9999' },
  SSH_PORT: { pattern: PORT, allowed: 'a port from 0 to 65535' },
  SSH_HOST: { pattern: HOST, allowed: HOST_ALLOWED },
  LOG_LEVEL: { default: 'info', pattern: '^(error|warn|info|debug)$', allowed: 'error, warn, info or debug' },
  LOG_FORMAT: { default: 'json', pattern: '^(json|pretty)$', allowed: 'json or pretty' },
  AUTO_MIGRATE: boolean('true'),
  DEMO: boolean('false'),
} as const satisfies Record<string, Setting>;

export type SettingName = keyof typeof SETTINGS;
