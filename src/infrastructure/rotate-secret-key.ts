import { setTimeout as sleep } from 'node:timers/promises';
import { RotateSecretKey, type Rotation } from '../application/secret-key/rotate-secret-key.js';
import { KnexKeySentinels } from '../adapters/outbound/persistence/knex/secret-key/knex-key-sentinels.js';
import { KnexSealedValues } from '../adapters/outbound/persistence/knex/secret-key/knex-sealed-values.js';
import { systemClock } from '../adapters/outbound/system/system-clock.js';
import { boxesOf } from './composition/stored-secrets.js';
import type { Config } from './configuration/config.js';
import { loggerOf, prepareDatabase } from './prepare-database.js';
import { resealWay } from './reseal-way.js';

/** Between two batches, so that the service that serves meanwhile writes, too. */
const PAUSE_MS = 10;

const pause = (): Promise<void> => sleep(PAUSE_MS);

/** @throws Error when there is no previous key, and as `prepareDatabase`. */
export const rotateSecretKey = async (config: Config): Promise<Rotation> => {
  if (config.secretKeyPrevious === undefined)
    throw new Error(
      'SECRET_KEY_PREVIOUS is absent: set it to the key that SECRET_KEY replaces, here and for every node that serves.',
    );
  const parts = { logger: loggerOf({ ...config, logLevel: 'error' }), clock: systemClock, installed: true };
  const { database, secretKeys } = await prepareDatabase(config, parts);
  try {
    // Before the rest: whoever has done that may remove the previous key, and a start is to find its way then.
    await resealWay(config, secretKeys, pause);
    const values = new KnexSealedValues(database);
    const sentinels = new KnexKeySentinels(database);
    return await new RotateSecretKey(values, sentinels, boxesOf(secretKeys), pause).execute();
  } finally {
    await database.close();
  }
};

const counted = (count: number, what: string): string => `${count} ${what}${count === 1 ? '' : 's'}`;

/** What an operator is told of it, in lines. */
export const describeRotation = ({ resealed, unreadable }: Rotation): readonly string[] => [
  ...[...unreadable].map(
    ([column, count]) =>
      `${counted(count, 'value')} in ${column} can't be opened with either key, and ${count === 1 ? 'was' : 'were'} left alone.`,
  ),
  `Re-encrypted ${counted(resealed, 'value')}: SECRET_KEY opens everything ${unreadable.size === 0 ? '' : 'else '}now, and SECRET_KEY_PREVIOUS can be removed.`,
];
