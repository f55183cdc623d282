import type { Clock } from '../application/shared/ports/clock.js';
import type { Logger } from '../application/shared/ports/logger.js';
import type { Database } from '../adapters/outbound/persistence/knex/database.js';
import type { SecretKeys } from '../adapters/outbound/security/aes-secret-box.js';
import { readStorageControl } from '../adapters/outbound/persistence/knex/storage/read-control.js';
import { createWinstonLogger } from '../adapters/outbound/system/winston-logger.js';
import { refusalToServe } from '../domain/storage/storage-control.js';
import type { Config } from './configuration/config.js';
import { databaseFailure } from './database-failure.js';
import { openStorage } from './follow-storage.js';
import { refuseUnlessInstalled, refuseWithoutFile } from './installed.js';
import { migrateDatabase } from './migrate-database.js';
import { settleSecretKeys } from './settle-secret-keys.js';

export const loggerOf = (config: Config): Logger =>
  createWinstonLogger({ level: config.logLevel, format: config.logFormat });

export interface Preparation {
  readonly logger: Logger;
  readonly clock: Clock;
  /** How often to ask a database that is out of reach before giving up; once by default. */
  readonly databaseAttempts?: number;
  /** The process that is to serve. */
  readonly node?: string;
  /** Whether a new database is refused, as by commands for what an installation has; else one is made. */
  readonly installed?: boolean;
}

export interface PreparedDatabase {
  readonly database: Database;
  readonly secretKeys: SecretKeys;
}

/** @throws Error with a sentence when the installation is not stored in this database, or is being moved. */
export const refuseUnlessPrimary = async (database: Database): Promise<void> => {
  const refusal = refusalToServe(await readStorageControl(database));
  if (refusal !== undefined) throw new Error(refusal);
};

/**
 * Opens the database, migrates it, and holds the secret keys against it. Where the installation has left it, it is the successor's.
 *
 * @throws Error with a sentence when the database is out of reach, the installation is not stored there, or the secret keys are not its
 * own.
 */
export const prepareDatabase = async (
  config: Config,
  { logger, clock, databaseAttempts = 1, node, installed = false }: Preparation,
): Promise<PreparedDatabase> => {
  const url = config.databaseUrl.reveal();
  if (installed) refuseWithoutFile(url);
  const database = await openStorage(config, { logger, attempts: databaseAttempts, node });
  try {
    if (installed) await refuseUnlessInstalled(database, url);
    if (config.autoMigrate) await migrateDatabase(database, logger);
    return { database, secretKeys: await settleSecretKeys(config, database, clock) };
  } catch (error) {
    await database.close();
    const { inThisThread: file } = database;
    throw file === undefined ? error : databaseFailure(error, `sqlite:${file.path}`);
  }
};
