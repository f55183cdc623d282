import { existsSync } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { partialOf } from '../adapters/outbound/archive/partial-file.js';
import type { Database } from '../adapters/outbound/persistence/knex/database.js';
import { Migrator, type MigrationStatus } from '../adapters/outbound/persistence/knex/migrate.js';
import { LOCK_OF_MIGRATIONS } from '../adapters/outbound/persistence/knex/tables.js';
import { readStorageControl } from '../adapters/outbound/persistence/knex/storage/read-control.js';
import type { Logger } from '../application/shared/ports/logger.js';
import { isMoving } from '../domain/storage/storage-control.js';

// The same three steps up from `src/infrastructure` and from `dist/infrastructure`.
export const MIGRATIONS_DIRECTORY = fileURLToPath(new URL('../../migrations', import.meta.url));

const TIME_DIGITS = 14;

const NAMED = 3;

/** @throws Error with a sentence where another program keeps its tables: ours would mix with them, or fail half-way at one of the same name. */
const refuseTablesOfOthers = async (database: Database): Promise<void> => {
  const tables = await database.tables();
  // Others, too, call a table so.
  const others = tables.filter((name) => name !== 'schema_migrations');
  if (others.length === 0 || others.includes(LOCK_OF_MIGRATIONS)) return;
  throw new Error(
    `This database holds tables of another program (${others.slice(0, NAMED).join(', ')}): give Gatehouse one of its own.`,
  );
};

/** @throws Error with a sentence when both ends of a move would not be alike any more. */
const refuseWhileMoving = async (database: Database): Promise<void> => {
  const control = await readStorageControl(database);
  if (isMoving(control))
    throw new Error(
      `This database is being moved to ${control.peer ?? ''}, which has no newer migrations: end that with the version that began it, or run "gatehouse storage abort".`,
    );
};

/** Copies the file of a database, where it is one, since migrations that change data can't be taken back. */
const copyBefore = async (database: Database, { applied, pending }: MigrationStatus, logger: Logger): Promise<void> => {
  const [first] = pending;
  if (applied.length === 0 || first === undefined || database.inThisThread === undefined) return;
  const copy = `${database.inThisThread.path}.before-${first.slice(0, TIME_DIGITS)}`;
  // Of a migration that failed and is tried again, the first copy is the one from before.
  if (existsSync(copy)) return;
  const partial = partialOf(copy);
  try {
    await database.backup(partial);
    await rename(partial, copy);
  } catch (error) {
    await rm(partial, { force: true });
    throw error;
  }
  logger.info('the database was copied before it is migrated', { copy });
};

/** Applies what is pending, and answers the names of what it applied. @throws Error with a sentence when that must not be. */
export const migrateDatabase = async (
  database: Database,
  logger: Logger,
  directory = MIGRATIONS_DIRECTORY,
): Promise<readonly string[]> => {
  await refuseTablesOfOthers(database);
  return new Migrator(database, directory).migrate(async (status) => {
    await refuseWhileMoving(database);
    await copyBefore(database, status, logger);
  });
};
