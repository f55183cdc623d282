import { existsSync } from 'node:fs';
import { openDatabase } from '../adapters/outbound/persistence/knex/dialect/open-database.js';
import { openStorageEnd } from '../adapters/outbound/persistence/knex/dialect/storage/open-storage-end.js';
import { Migrator } from '../adapters/outbound/persistence/knex/migrate.js';
import type { StorageEnd } from '../application/storage/ports/storage-end.js';
import { isDatabaseUrl } from './configuration/load-config.js';
import { MIGRATIONS_DIRECTORY } from './prepare-database.js';

const MEMORY = 'sqlite::memory:';
const SQLITE = 'sqlite:';

const checkAddress = (url: string): void => {
  // What it is instead may hold a password, and is not told.
  if (!isDatabaseUrl(url))
    throw new Error('The address of a database must be sqlite:PATH or postgres://user:password@host/name.');
  if (url === MEMORY) throw new Error('A database in memory is gone with its process: name a file or a server.');
};

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
