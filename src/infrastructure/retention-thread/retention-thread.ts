import type { SharedCounters } from '../../application/shared/ports/shared-counters.js';
import type { DatabaseOfThreads } from '../../adapters/outbound/persistence/knex/database.js';
import { startThread } from '../start-thread.js';

/** What the thread is started with. */
export interface RetentionSettings {
  readonly database: DatabaseOfThreads;
  readonly retentionDays: number | undefined;
}

/** To the thread: that it is to end after this batch. */
const STOP = 'stop';

/** From the thread. */
export type Told = { readonly counted: Parameters<SharedCounters['count']> } | { readonly failed: string };

/**
 * Removes entries that are too old in a thread of its own, which ends with it: a commit of hundreds of pages, and their way into the
 * file, hold up nobody who reads.
 *
 * @param stopping ends it after a batch.
 * @throws Error when there can be no thread, or it failed.
 */
export const pruneInThread = async (
  settings: RetentionSettings,
  counters: SharedCounters,
  stopping?: AbortSignal,
): Promise<void> => {
  const worker = await startThread(new URL('./run-retention-thread.js', import.meta.url), settings);
  let failure: string | undefined;
  worker.on('message', (told: Told) => {
    if ('failed' in told) failure = told.failed;
    else counters.count(...told.counted);
  });
  const ended = new Promise((resolve) => worker.once('exit', resolve));
  const stop = (): void => worker.postMessage(STOP);
  stopping?.addEventListener('abort', stop, { once: true });
  if (stopping?.aborted === true) stop();
  await ended;
  stopping?.removeEventListener('abort', stop);
  if (failure !== undefined) throw new Error(failure);
};
