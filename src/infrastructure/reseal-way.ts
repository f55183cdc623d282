import { randomUUID } from 'node:crypto';
import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { openDatabase } from '../adapters/outbound/persistence/knex/dialect/open-database.js';
import { KnexSealedValues } from '../adapters/outbound/persistence/knex/secret-key/knex-sealed-values.js';
import { SUCCESSOR_COLUMNS } from '../adapters/outbound/persistence/knex/secret-key/rotated-columns.js';
import { readControl } from '../adapters/outbound/persistence/knex/storage/read-control.js';
import type { SecretKeys } from '../adapters/outbound/security/aes-secret-box.js';
import type { KeySentinels } from '../application/secret-key/ports/key-sentinels.js';
import { RotateSecretKey } from '../application/secret-key/rotate-secret-key.js';
import { boxesOf } from './composition/stored-secrets.js';
import type { Config } from './configuration/config.js';
import { secretKeyFile } from './configuration/secret-key.js';
import { placeOf } from './database-failure.js';
import { reasonOf } from './explain-failure.js';
import { addressOfSuccessor, MOST_MOVES } from './follow-storage.js';

type Pause = () => Promise<unknown>;

/** What a database that was left remembers of its key is what its rows are sealed with, which stay as they were. */
const NO_SENTINELS: KeySentinels = {
  list: () => Promise.resolve([]),
  addMissing: () => Promise.resolve(),
  remove: () => Promise.resolve(),
};

/** Seals anew where the installation went from a database, and answers that; undefined where it is still there. */
const resealIn = async (url: string, keys: SecretKeys, pause: Pause): Promise<string | undefined> => {
  const database = openDatabase({ url, poolMax: 1 });
  try {
    const control = await readControl(database);
    if (control.role !== 'left') return undefined;
    const next = addressOfSuccessor(control, keys);
    const values = new KnexSealedValues(database, SUCCESSOR_COLUMNS);
    try {
      await new RotateSecretKey(values, NO_SENTINELS, boxesOf(keys), pause).execute();
    } catch (error) {
      throw new Error(
        `${placeOf(url)} was left for ${control.peer ?? ''}, whose address could not be sealed anew there: ${reasonOf(error)}. Set DATABASE_URL to ${control.peer ?? ''}, and run this again.`,
        { cause: error },
      );
    }
    return next;
  } finally {
    await database.close();
  }
};

/** It is there whole, or as it was. */
const replaceKey = (file: string, key: Uint8Array): void => {
  const made = `${file}.${randomUUID()}`;
  try {
    writeFileSync(made, `${Buffer.from(key).toString('base64')}\n`, { mode: 0o600, flag: 'wx' });
    renameSync(made, file);
  } catch (error) {
    rmSync(made, { force: true });
    throw error;
  }
};

/** Whoever names that database by DATABASE_URL later finds the key beside it. */
const renewKeyBeside = (url: string, { current, previous }: SecretKeys): void => {
  const file = secretKeyFile(url);
  if (file === undefined || previous === undefined || !existsSync(file)) return;
  try {
    if (Buffer.from(readFileSync(file, 'utf8').trim(), 'base64').equals(previous)) replaceKey(file, current);
  } catch (error) {
    throw new Error(
      `The secret key in ${file} is the previous one, and can't be replaced: ${reasonOf(error)}. Write the new one into it, and run this again.`,
      { cause: error },
    );
  }
};

/**
 * Lets the new key open the way from DATABASE_URL to the database that serves: in each that was left the address of the next one, and the
 * keys that a move copied beside them. What is done is found done, so that this may be killed and run again.
 *
 * @throws Error with a sentence that says what to do where something can't be written.
 */
export const resealWay = async (config: Config, keys: SecretKeys, pause: Pause): Promise<void> => {
  let url = config.databaseUrl.reveal();
  for (let moves = 0; moves < MOST_MOVES; moves += 1) {
    const next = await resealIn(url, keys, pause);
    if (next === undefined) return;
    renewKeyBeside(next, keys);
    url = next;
  }
};
