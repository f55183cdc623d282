import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { openDatabase } from '../adapters/outbound/persistence/knex/dialect/open-database.js';
import { openStorageEnd } from '../adapters/outbound/persistence/knex/dialect/storage/open-storage-end.js';
import { Migrator } from '../adapters/outbound/persistence/knex/migrate.js';
import type { StorageEnd } from '../application/storage/ports/storage-end.js';
import { boxOfStoredSecrets } from './composition/stored-secrets.js';
import type { Config } from './configuration/config.js';
import { isDatabaseUrl } from './configuration/load-config.js';
import { findSecretKey, keyOf } from './configuration/secret-key.js';
import { addressOfSuccessor } from './follow-storage.js';
import { MIGRATIONS_DIRECTORY } from './migrate-database.js';

const MEMORY = 'sqlite::memory:';
const SQLITE = 'sqlite:';

const checkAddress = (url: string): void => {
  // What it is instead may hold a password, and is not told.
  if (!isDatabaseUrl(url))
    throw new Error('The address of a database must be sqlite:PATH or postgres://user:password@host/name.');
  if (url === MEMORY) throw new Error('A database in memory is gone with its process: name a file or a server.');
};

/** An address that names the same database wherever a process runs that is told of it. */
export const absolute = (url: string): string => {
  checkAddress(url);
  return url.startsWith(SQLITE) ? `${SQLITE}${resolve(url.slice(SQLITE.length))}` : url;
};

const keysOf = (config: Config) => {
  const current = findSecretKey(config);
  if (current === undefined)
    throw new Error('The secret key of the installation is needed: set SECRET_KEY, as for the service.');
  return { current, previous: keyOf(config.secretKeyPrevious) };
};

/** An address as a database keeps it, for the processes that follow: it holds a password. */
export const sealAddress = (config: Config, url: string): string =>
  boxOfStoredSecrets(keysOf(config)).seal(absolute(url));

/** @throws Error with a sentence when there is no such database, or it is no address of one. */
export const existing = (url: string): string => {
  checkAddress(url);
  if (url.startsWith(SQLITE) && !existsSync(url.slice(SQLITE.length)))
    throw new Error(`There is no database at ${url}.`);
  return url;
};

/** Runs `work` on one database or two; the second is the first where no other is named. */
export const withEnds = async <Result>(
  urls: readonly [here: string, there?: string | undefined],
  work: (here: StorageEnd, there: StorageEnd) => Promise<Result>,
): Promise<Result> => {
  const [here, there] = urls;
  const first = await openStorageEnd(existing(here));
  try {
    if (there === undefined) return await work(first, first);
    const second = await openStorageEnd(existing(there));
    try {
      return await work(first, second);
    } finally {
      await second.close();
    }
  } finally {
    await first.close();
  }
};

/** Migrates a database that nobody has written to; one that is in use is left as it is, and refused later. */
export const migrateUnused = async (url: string): Promise<void> => {
  checkAddress(url);
  const database = openDatabase({ url, poolMax: 2 });
  try {
    const { schema } = database;
    const used = (await schema.schema.hasTable('users')) && (await schema('users').first('id')) !== undefined;
    if (!used) await new Migrator(database, MIGRATIONS_DIRECTORY).migrate();
  } finally {
    await database.close();
  }
};

/** Runs `work` on a database and on the one that it is moved to or was left for: the one that is named, else the one it knows of. */
export const withSuccessor = async (
  config: Config,
  given: string | undefined,
  work: (here: StorageEnd, there: StorageEnd | undefined) => Promise<void>,
): Promise<void> => {
  const here = config.databaseUrl.reveal();
  const url =
    given ??
    (await withEnds([here], async (end) => {
      const control = await end.control();
      return control.sealedSuccessor === undefined ? undefined : addressOfSuccessor(control, keysOf(config));
    }));
  await withEnds([here, url], (one, other) => work(one, other === one ? undefined : other));
};

/** More moves than anybody makes without changing the settings. */
const MOST_MOVES = 8;

/** The address of the database that an installation is stored in now: that of DATABASE_URL, or what that one was left for. */
export const primaryAddress = async (config: Config): Promise<string> => {
  let url = config.databaseUrl.reveal();
  for (let moves = 0; moves < MOST_MOVES; moves += 1) {
    const control = await withEnds([url], (end) => end.control());
    if (control.role !== 'left' || control.sealedSuccessor === undefined) break;
    url = addressOfSuccessor(control, keysOf(config));
  }
  return url;
};
