import { existsSync } from 'node:fs';
import { readValues, type Environment } from './load-config.js';
import { SETTINGS, type SettingName } from './settings.js';
import { secretKeyFile } from './secret-key.js';

type Values = Readonly<Record<string, string>>;

const SECRETS: ReadonlySet<string> = new Set(
  Object.entries(SETTINGS).flatMap(([name, setting]) => ('secret' in setting ? [name] : [])),
);

/**
 * The password of an address, and passwords among its parameters. A user name or password that should be encoded and is not may hold
 * `@` or `/`: rather too much is masked than too little.
 */
const maskUrl = (url: string): string =>
  url
    .replace(/^([a-z+]+:\/\/[^:]*):.*@/i, '$1:[secret]@')
    .replace(/([?&][^=&]*(?:password|secret)[^=&]*=)[^&]*/gi, '$1[secret]');

/** What is shown without what is secret in it. */
const ADDRESSES: ReadonlySet<string> = new Set(['DATABASE_URL', 'DATABASE_REPLICA_URL', 'SMTP_URL']);

const keyInForce = (values: Values): string => {
  const file = secretKeyFile(values['DATABASE_URL'] ?? '');
  if (file === undefined) return '# new at each start: the database is in memory';
  return `# ${existsSync(file) ? 'read from' : 'created at the first start in'} ${file}`;
};

/** What is in force where a setting was not given and has no fixed default. */
const DERIVED: Partial<Record<SettingName, (values: Values) => string>> = {
  BASE_URL: ({ PORT = '' }) =>
    PORT === '0' ? '# http://localhost with the port that is picked at the start' : `http://localhost:${PORT}`,
  DATABASE_REPLICA_URL: () => '# lists are read from the database itself',
  SECRET_KEY: keyInForce,
  SECRET_KEY_PREVIOUS: () => '# no other key is accepted',
  ROOT_PASSWORD: () => '# generated and printed when an empty database is first served',
  EVENT_RETENTION_DAYS: () => '# two calendar years',
  PIPELINE_RETENTION_DAYS: () => '# pipelines stay as long as their projects',
  JOB_LOG_RETENTION_DAYS: () => '# logs stay as long as their pipelines',
  SSH_PORT: () => '# git is not served over SSH',
  SSH_HOST: ({ HOST = '' }) => HOST,
  SMTP_URL: () => '# mail waits in the queue',
  METRICS_TOKEN: () => '# /-/metrics is open',
  BACKUP_RECIPIENT: () => '# archives are not encrypted',
};

const describe = (name: string, values: Values): string => {
  const value = values[name];
  if (value === undefined) return DERIVED[name as SettingName]?.(values) ?? '';
  if (ADDRESSES.has(name)) return maskUrl(value);
  return SECRETS.has(name) ? '[secret]' : value;
};

/** The settings in force as lines of NAME=value: given, default or derived; secrets masked, explanations behind `#`. */
export const describeConfig = (environment: Environment): readonly string[] => {
  const values = readValues(environment);
  return Object.keys(SETTINGS).map((name) => `${name}=${describe(name, values)}`);
};
