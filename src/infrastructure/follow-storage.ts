import { existsSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from '../application/shared/ports/logger.js';
import type { Database } from '../adapters/outbound/persistence/knex/database.js';
import { openDatabase } from '../adapters/outbound/persistence/knex/dialect/open-database.js';
import {
  readControl,
  readStorageControl,
  settleTarget,
} from '../adapters/outbound/persistence/knex/storage/read-control.js';
import type { SecretKeys } from '../adapters/outbound/security/aes-secret-box.js';
import { isSuccessorOf, refusalToServe, type StorageControl } from '../domain/storage/storage-control.js';
import { awaitDatabase } from './await-database.js';
import { boxOfStoredSecrets } from './composition/stored-secrets.js';
import type { Config } from './configuration/config.js';
import { findSecretKey, keyOf } from './configuration/secret-key.js';
import { databaseFailure } from './database-failure.js';

/** Whoever was moved more often since its settings were changed is to change them. */
export const MOST_MOVES = 8;
const SQLITE = 'sqlite:';

export interface Opening {
  readonly poolMax: number;
  readonly node?: string | undefined;
}

/**
 * The address of the database that one is moved to, or was left for.
 *
 * @param otherwise what to do where the key that sealed it is not at hand.
 * @throws Error with a sentence when the key is not the one that sealed it.
 */
export const addressOfSuccessor = (
  { role, sealedSuccessor, peer = '' }: StorageControl,
  keys: SecretKeys,
  otherwise = `set DATABASE_URL to ${peer}`,
): string => {
  if (sealedSuccessor === undefined) throw new Error(`Nobody wrote down how ${peer} is reached.`);
  try {
    return boxOfStoredSecrets(keys).open(sealedSuccessor);
  } catch (error) {
    throw new Error(
      `The storage ${role === 'left' ? 'was' : 'is being'} moved to ${peer}, whose address is sealed with another key than SECRET_KEY: set SECRET_KEY_PREVIOUS to that key, or ${otherwise}.`,
      { cause: error },
    );
  }
};

/** Opens what a database is moved to, or was left for. @throws Error with a sentence. */
export const openSuccessor = async (from: StorageControl, keys: SecretKeys, opening: Opening): Promise<Database> => {
  const url = addressOfSuccessor(from, keys);
  if (url.startsWith(SQLITE) && !existsSync(url.slice(SQLITE.length)))
    throw new Error(`There is no file ${url.slice(SQLITE.length)}`);
  const database = openDatabase({ url, ...opening });
  try {
    await database.ping();
    return database;
  } catch (error) {
    await database.close();
    throw error;
  }
};

/** How long to wait for whoever moves the storage to say that the successor may be written to. */
const PRIMARY_MS = 3_000;
const LOOK_AGAIN_MS = 2;

/**
 * Nobody writes to a successor before everybody reads from it: whoever moves the storage says when. Unless they are gone: then this makes
 * the last mark.
 */
export const awaitPrimary = async (successor: Database, from: StorageControl): Promise<void> => {
  const giveUpAt = performance.now() + PRIMARY_MS;
  while ((await readControl(successor)).role === 'target') {
    if (performance.now() > giveUpAt) await settleTarget(successor, from);
    else await sleep(LOOK_AGAIN_MS);
  }
};

const keysOf = (config: Config): SecretKeys | undefined => {
  const current = findSecretKey(config);
  return current && { current, previous: keyOf(config.secretKeyPrevious) };
};

/**
 * The next database on the way of an installation; undefined where nobody says where that is.
 * @throws Error with a sentence when its address is sealed with another key.
 */
const successorOf = async (from: StorageControl, config: Config, opening: Opening): Promise<Database | undefined> => {
  const keys = keysOf(config);
  if (keys === undefined || from.sealedSuccessor === undefined) return undefined;
  const database = await openSuccessor(from, keys, opening);
  if (isSuccessorOf(await readStorageControl(database), from)) return database;
  await database.close();
  return undefined;
};

export interface Following {
  readonly logger: Logger;
  /** How often to ask a database that is out of reach before giving up. */
  readonly attempts: number;
  readonly node?: string | undefined;
}

/**
 * Opens the database that the installation is stored in: that of DATABASE_URL, or what that one was left for.
 *
 * @throws Error with a sentence when it is out of reach, or nobody may serve from it.
 */
export const openStorage = async (config: Config, { logger, attempts, node }: Following): Promise<Database> => {
  const opening = { poolMax: config.databasePoolMax, node };
  const replicaUrl = config.databaseReplicaUrl?.reveal();
  const url = config.databaseUrl.reveal();
  let database = openDatabase({ url, replicaUrl, ...opening });
  try {
    await awaitDatabase(database, attempts, logger).catch((error: unknown) => {
      throw databaseFailure(error, url);
    });
    for (let moves = 0; ; moves += 1) {
      const control = await readStorageControl(database);
      const refusal = refusalToServe(control);
      if (refusal === undefined) return database;
      const next =
        control.role === 'left' && moves < MOST_MOVES ? await successorOf(control, config, opening) : undefined;
      if (next === undefined) throw new Error(refusal);
      await database.close();
      database = next;
      await awaitPrimary(database, control);
      logger.warn('the storage was moved: DATABASE_URL names a database that was left', { servesFrom: control.peer });
    }
  } catch (error) {
    await database.close();
    throw error;
  }
};
