import { accessSync, constants, existsSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { openDatabase } from '../adapters/outbound/persistence/knex/dialect/open-database.js';
import { openStorageEnd } from '../adapters/outbound/persistence/knex/dialect/storage/open-storage-end.js';
import { Migrator } from '../adapters/outbound/persistence/knex/migrate.js';
import { STORED_TABLES } from '../adapters/outbound/persistence/knex/storage/stored-tables.js';
import { TABLES_OF_MIGRATIONS } from '../adapters/outbound/persistence/knex/tables.js';
import type { SecretKeys } from '../adapters/outbound/security/aes-secret-box.js';
import { systemClock } from '../adapters/outbound/system/system-clock.js';
import { admitMove } from '../application/storage/admit-move.js';
import { MoveRefused } from '../application/storage/move-refused.js';
import type { StorageEnd } from '../application/storage/ports/storage-end.js';
import { isSuccessorOf, refusalToServe, type StorageControl } from '../domain/storage/storage-control.js';
import { boxOfStoredSecrets } from './composition/stored-secrets.js';
import type { Config } from './configuration/config.js';
import { isDatabaseUrl } from './configuration/load-config.js';
import { findSecretKey, keyOf } from './configuration/secret-key.js';
import { databaseFailure, describeDatabaseFailure, placeOf } from './database-failure.js';
import { reasonOf } from './explain-failure.js';
import { addressOfSuccessor, MOST_MOVES } from './follow-storage.js';
import { OUR_TABLE, refuseWithoutTables } from './installed.js';
import { refuseOtherKeyFor } from './keep-key-for.js';
import { MIGRATIONS_DIRECTORY } from './migrate-database.js';
import { refuseOtherKeys } from './settle-secret-keys.js';

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

/** @throws Error with a sentence where the secret key is not at hand. */
export const keysOf = (config: Config): SecretKeys => {
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

/** Of two files that are at work it is told which one can't be written. */
const namingFile = (end: StorageEnd, url: string): StorageEnd =>
  new Proxy(end, {
    get: (target, name) => {
      const member: unknown = Reflect.get(target, name, target);
      if (typeof member !== 'function') return member;
      return (...given: readonly unknown[]): unknown => {
        const result: unknown = Reflect.apply(member, target, given);
        if (!(result instanceof Promise)) return result;
        return result.catch((error: unknown) => {
          throw databaseFailure(error, url);
        });
      };
    },
  });

/** Opens a database, and says which one it was where that fails. */
const open = async (url: string): Promise<StorageEnd> => {
  existing(url);
  try {
    const end = await openStorageEnd(url);
    return url.startsWith(SQLITE) ? namingFile(end, url) : end;
  } catch (error) {
    const sentence = describeDatabaseFailure(error, url) ?? `${placeOf(url)} can't be opened: ${reasonOf(error)}.`;
    throw new Error(sentence, { cause: error });
  }
};

/** Runs `work` on one database or two; the second is the first where no other is named. */
export const withEnds = async <Result>(
  urls: readonly [here: string, there?: string | undefined],
  work: (here: StorageEnd, there: StorageEnd) => Promise<Result>,
): Promise<Result> => {
  const [here, there] = urls;
  const first = await open(here);
  try {
    if (there === undefined) return await work(first, first);
    const second = await open(there);
    try {
      return await work(first, second);
    } finally {
      await second.close();
    }
  } finally {
    await first.close();
  }
};

/** The same on databases that each have an installation. @throws Error with a sentence where one has none. */
export const withInstalled: typeof withEnds = (urls, work) =>
  withEnds(urls, async (here, there) => {
    for (const end of new Set([here, there])) refuseWithoutTables(end.place, await end.tables());
    return work(here, there);
  });

const isUsed = async (url: string): Promise<boolean> => {
  const database = openDatabase({ url, poolMax: 1 });
  try {
    const { schema } = database;
    return (await schema.schema.hasTable('users')) && (await schema('users').first('id')) !== undefined;
  } finally {
    await database.close();
  }
};

const refuseUnlessWritable = (folder: string): void => {
  try {
    accessSync(folder, constants.W_OK);
  } catch {
    throw new MoveRefused(`No file can be made in ${folder}: name a folder that is there and may be written to.`);
  }
};

const OF_MIGRATIONS: ReadonlySet<string> = new Set(TABLES_OF_MIGRATIONS);
const NAMED = 3;

/** @throws MoveRefused where another program keeps its tables, or none can be made. */
const refuseUnlessMigratable = async (target: StorageEnd, tables: readonly string[]): Promise<void> => {
  const others = tables.filter((name) => !OF_MIGRATIONS.has(name));
  if (others.length > 0)
    throw new MoveRefused(
      `The database at ${target.place} holds tables of another program (${others.slice(0, NAMED).join(', ')}): a move fills one that is empty.`,
    );
  if (!(await target.mayMakeTables()))
    throw new MoveRefused(`The account of ${target.place} may not make tables there: grant it CREATE on the schema.`);
};

/** What is sealed in the source would be lost with another key, at the target as at the source. */
const refuseOtherKeysThanOf = async (config: Config, url: string): Promise<void> => {
  // Where there is none a move is refused by itself, and a dry run seals nothing.
  if (findSecretKey(config) === undefined) return;
  const database = openDatabase({ url, poolMax: 1 });
  try {
    await refuseOtherKeys(config, keysOf(config), database, systemClock);
  } finally {
    await database.close();
  }
};

/**
 * Asks whatever can be asked before the target of a move is made, migrated or written to.
 *
 * @throws Error with a sentence where the one can't be moved to the other.
 */
export const refuseUnlessMovable = async (config: Config, to: string): Promise<void> => {
  checkAddress(to);
  const from = existing(config.databaseUrl.reveal());
  await withInstalled([from], () => refuseOtherKeysThanOf(config, from));
  refuseOtherKeyFor(config, to);
  const file = to.startsWith(SQLITE) ? resolve(to.slice(SQLITE.length)) : undefined;
  if (file !== undefined && !existsSync(file)) return refuseUnlessWritable(dirname(file));
  await withEnds([from, to], async (source, target) => {
    if (source.place === target.place) throw new MoveRefused('Both addresses name the same database.');
    const tables = await target.tables();
    if (!tables.includes(OUR_TABLE)) return refuseUnlessMigratable(target, tables);
    // One that is unused is migrated first where it is of an older version.
    const [here, there] = [await source.migrations(), await target.migrations()];
    if (here.every((name) => there.includes(name)) || (await isUsed(to)))
      await admitMove(source, target, STORED_TABLES);
  });
};

const migrate = async (url: string): Promise<void> => {
  if (await isUsed(url)) return;
  const database = openDatabase({ url, poolMax: 2 });
  try {
    await new Migrator(database, MIGRATIONS_DIRECTORY).migrate();
  } finally {
    await database.close();
  }
};

/** Migrates a database that nobody has written to; one that is in use is left as it is, and refused later. */
export const migrateUnused = async (url: string): Promise<void> => {
  checkAddress(url);
  await migrate(url).catch((error: unknown) => {
    throw databaseFailure(error, url);
  });
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
    (await withInstalled([here], async (end) => {
      const control = await end.control();
      if (control.sealedSuccessor === undefined) return undefined;
      return addressOfSuccessor(control, keysOf(config), 'name that database by --successor (--to of abort)');
    }));
  await withInstalled([here, url], (one, other) => work(one, other === one ? undefined : other));
};

/**
 * The address of the database that an installation is stored in now: that of DATABASE_URL, or what that one was left for.
 *
 * @throws Error with a sentence where nobody may serve from it: a copy of one that is being filled would be half an installation.
 */
export const primaryAddress = async (config: Config): Promise<string> => {
  let url = config.databaseUrl.reveal();
  let before: StorageControl | undefined;
  for (let moves = 0; ; moves += 1) {
    const control = await withInstalled([url], (end) => end.control());
    if (before !== undefined && !isSuccessorOf(control, before)) throw new Error(refusalToServe(before));
    const { role, sealedSuccessor } = control;
    // One that was arrived at may lack its last mark, which whoever serves from it makes.
    if (role === 'primary' || (role === 'target' && before !== undefined)) return url;
    if (role === 'target' || sealedSuccessor === undefined || moves === MOST_MOVES)
      throw new Error(refusalToServe(control));
    before = control;
    url = addressOfSuccessor(control, keysOf(config));
  }
};
