import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from '../application/shared/ports/logger.js';
import { Unavailable } from '../domain/shared/domain-error.js';
import type { Database } from '../adapters/outbound/persistence/knex/database.js';

const PAUSE_MS = 1_000;

/**
 * Waits for a database that may be starting beside us.
 *
 * @throws Unavailable when it was out of reach at every one of `attempts`, a second apart.
 */
export const awaitDatabase = async (database: Database, attempts: number, logger: Logger): Promise<void> => {
  for (let attempt = 1; ; attempt += 1) {
    try {
      await database.ping();
      return;
    } catch (error) {
      if (!(error instanceof Unavailable) || attempt >= attempts) throw error;
      logger.warn('the database is out of reach', { attempt, attempts });
    }
    await sleep(PAUSE_MS);
  }
};
