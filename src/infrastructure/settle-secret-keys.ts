import { CheckSecretKey, type KeyCheck } from '../application/secret-key/check-secret-key.js';
import type { Clock } from '../application/shared/ports/clock.js';
import type { Database } from '../adapters/outbound/persistence/knex/database.js';
import { KnexKeySentinels } from '../adapters/outbound/persistence/knex/secret-key/knex-key-sentinels.js';
import { KnexSealedValues } from '../adapters/outbound/persistence/knex/secret-key/knex-sealed-values.js';
import type { SecretKeys } from '../adapters/outbound/security/aes-secret-box.js';
import { boxesOf } from './composition/stored-secrets.js';
import type { Config } from './configuration/config.js';
import { findSecretKey, keyOf, makeSecretKey, secretKeyFile } from './configuration/secret-key.js';

const KEPT = 'the one that belongs to this database (it should be kept with each backup)';

const lostKey = (config: Config): string => {
  const file = secretKeyFile(config.databaseUrl.reveal());
  return file === undefined
    ? `SECRET_KEY is absent, but this database has one: set SECRET_KEY to ${KEPT}.`
    : `There is no secret key, but this database has one: put ${file} back, or set SECRET_KEY to ${KEPT}.`;
};

const wrongKey = (config: Config, check: Exclude<KeyCheck, 'fits'>): string => {
  const file = secretKeyFile(config.databaseUrl.reveal());
  const name = config.secretKey !== undefined || file === undefined ? 'SECRET_KEY' : `The secret key in ${file}`;
  if (check === 'incomplete')
    return `${name} opens only a part of what is sealed in this database, because a rotation of the secret key has not ended: set SECRET_KEY_PREVIOUS to the other key of the rotation, and run "gatehouse secret-key rotate".`;
  return config.secretKeyPrevious === undefined
    ? `${name} is not the key of this database: replace it by ${KEPT}, or, if you meant to change the key, set SECRET_KEY_PREVIOUS to the one before and run "gatehouse secret-key rotate".`
    : `Neither ${name} nor SECRET_KEY_PREVIOUS is the key of this database: set one of them to ${KEPT}.`;
};

const checkOf = (database: Database, clock: Clock): CheckSecretKey =>
  new CheckSecretKey(new KnexKeySentinels(database), new KnexSealedValues(database), clock);

/** Changes nothing. @throws Error with a sentence where the keys don't open what is sealed in a database. */
export const refuseOtherKeys = async (
  config: Config,
  keys: SecretKeys,
  database: Database,
  clock: Clock,
): Promise<void> => {
  const result = await checkOf(database, clock).look(boxesOf(keys));
  if (result !== 'fits') throw new Error(wrongKey(config, result));
};

/**
 * The secret keys of this start, once it is known that they are those of the database; a database that has none is given one.
 *
 * @throws Error with a sentence that says which key is wrong or missing, and what to do.
 */
export const settleSecretKeys = async (config: Config, database: Database, clock: Clock): Promise<SecretKeys> => {
  const check = checkOf(database, clock);
  const found = findSecretKey(config);
  if (found === undefined && (await check.isKeyed())) throw new Error(lostKey(config));
  const secretKeys = { current: found ?? makeSecretKey(config), previous: keyOf(config.secretKeyPrevious) };
  const result = await check.execute(boxesOf(secretKeys));
  if (result !== 'fits') throw new Error(wrongKey(config, result));
  return secretKeys;
};
