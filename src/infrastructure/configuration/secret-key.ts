import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { prepareDatabaseFile } from '../../adapters/outbound/persistence/knex/dialect/sqlite-file.js';
import type { Config } from './config.js';

const KEY_BYTES = 32;
const SQLITE = 'sqlite:';

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

/** The key given, else the one beside the SQLite file, which is created once for its owner alone to read. */
export const resolveSecretKey = (config: Pick<Config, 'secretKey' | 'databaseUrl'>): Buffer => {
  if (config.secretKey !== undefined) return Buffer.from(config.secretKey.reveal(), 'base64');
  const file = secretKeyFile(config.databaseUrl.reveal());
  if (file === undefined) return randomBytes(KEY_BYTES);
  if (existsSync(file)) return readKey(file);
  prepareDatabaseFile(config.databaseUrl.reveal().slice(SQLITE.length));
  // Two processes may start at once: whoever creates the file wins, and the other reads it.
  try {
    writeFileSync(file, `${randomBytes(KEY_BYTES).toString('base64')}\n`, { mode: 0o600, flag: 'wx' });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
  return readKey(file);
};
