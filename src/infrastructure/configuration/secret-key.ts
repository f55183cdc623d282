import { randomBytes, randomUUID } from 'node:crypto';
import { existsSync, linkSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { prepareDatabaseFile } from '../../adapters/outbound/persistence/knex/dialect/sqlite-file.js';
import type { Sensitive } from '../../application/shared/sensitive.js';
import type { Config } from './config.js';

const KEY_BYTES = 32;
const SQLITE = 'sqlite:';

type KeySettings = Pick<Config, 'secretKey' | 'databaseUrl'>;

const readKey = (file: string): Buffer => {
  const key = Buffer.from(readFileSync(file, 'utf8').trim(), 'base64');
  if (key.length !== KEY_BYTES)
    throw new Error(`The secret key in ${file} is damaged: it must be ${KEY_BYTES} bytes in base64.`);
  return key;
};

/** Where the key of a SQLite file lies; absent for a database in memory. */
export const secretKeyFile = (databaseUrl: string): string | undefined => {
  const path = databaseUrl.slice(SQLITE.length);
  return !databaseUrl.startsWith(SQLITE) || path === ':memory:' ? undefined : `${path}.key`;
};

/** A key as the settings have it. */
export const keyOf = (setting: Sensitive | undefined): Buffer | undefined =>
  setting && Buffer.from(setting.reveal(), 'base64');

/** The key given, else the one beside the SQLite file, where there is one. */
export const findSecretKey = ({ secretKey, databaseUrl }: KeySettings): Buffer | undefined => {
  if (secretKey !== undefined) return keyOf(secretKey);
  const file = secretKeyFile(databaseUrl.reveal());
  return file !== undefined && existsSync(file) ? readKey(file) : undefined;
};

/** Makes the key of a new database: beside the SQLite file, for its owner alone to read. */
export const makeSecretKey = ({ databaseUrl }: Pick<Config, 'databaseUrl'>): Buffer => {
  const file = secretKeyFile(databaseUrl.reveal());
  if (file === undefined) return randomBytes(KEY_BYTES);
  prepareDatabaseFile(databaseUrl.reveal().slice(SQLITE.length));
  // Two processes may start at once: whoever gives the file its name wins, and the other reads what is whole by then.
  const made = `${file}.${randomUUID()}`;
  writeFileSync(made, `${randomBytes(KEY_BYTES).toString('base64')}\n`, { mode: 0o600, flag: 'wx' });
  try {
    linkSync(made, file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    rmSync(made);
  }
  return readKey(file);
};
