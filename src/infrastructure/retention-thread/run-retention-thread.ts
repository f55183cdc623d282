import { setTimeout as sleep } from 'node:timers/promises';
import { parentPort, workerData, type MessagePort } from 'node:worker_threads';
import { PruneActivity } from '../../application/activity/prune-activity.js';
import type { SharedCounters } from '../../application/shared/ports/shared-counters.js';
import { KnexActivityRepository } from '../../adapters/outbound/persistence/knex/activity/knex-activity-repository.js';
import { StorageMoved } from '../../adapters/outbound/persistence/knex/dialect/constraint-violations.js';
import { openSqliteDatabase } from '../../adapters/outbound/persistence/knex/dialect/sqlite-database.js';
import { WriterTurn } from '../../adapters/outbound/persistence/knex/dialect/writer-turn.js';
import { systemClock } from '../../adapters/outbound/system/system-clock.js';
import { PAUSE_MS } from '../composition/activity.tokens.js';
import { READY } from '../start-thread.js';
import type { RetentionSettings, Told } from './retention-thread.js';

const runRetentionThread = async (port: MessagePort, settings: RetentionSettings): Promise<void> => {
  const { database: shared, retentionDays } = settings;
  const database = openSqliteDatabase(shared.path, new WriterTurn(shared.turn));
  const tell = (told: Told): void => port.postMessage(told);
  const counters: SharedCounters = { count: (...counted) => tell({ counted }) };
  const stopping = new AbortController();
  port.on('message', () => stopping.abort());
  port.postMessage(READY);
  try {
    await new PruneActivity(
      { execute: (work) => database.transact((session) => work({ activity: new KnexActivityRepository(session) })) },
      systemClock,
      counters,
      retentionDays,
      () => sleep(PAUSE_MS),
    ).execute(stopping.signal);
  } catch (error) {
    // Where the storage is now, they are removed the next time.
    if (!(error instanceof StorageMoved)) tell({ failed: String(error) });
  } finally {
    await database.close();
    port.close();
  }
};

if (parentPort === null) throw new Error('This is a thread of the service, and no program.');
await runRetentionThread(parentPort, workerData as RetentionSettings);
