import { once } from 'node:events';
import { Worker } from 'node:worker_threads';

/** From a thread, before all else: that it has begun. */
export const READY = 'ready';

/** As much as the main thread has for young objects (`bound-young-objects.ts`), of which the engine counts three halves. Left alone a thread takes 40. */
const YOUNG_MB = 12;

/**
 * Starts a thread, and waits until it says that it is ready. An error that it does not catch after that ends the process, as one of
 * the main thread does: else it might be its turn to write for ever (`dialect/writer-turn.ts`).
 *
 * @param workerData is plain.
 * @throws Error when there can be no thread, or it ends before it is ready.
 */
export const startThread = async (program: URL, workerData: unknown): Promise<Worker> => {
  const worker = new Worker(program, { workerData, resourceLimits: { maxYoungGenerationSizeMb: YOUNG_MB } });
  const starting = new AbortController();
  const { signal } = starting;
  try {
    const ended = once(worker, 'exit', { signal }).then(() => Promise.reject(new Error('It ended.')));
    await Promise.race([once(worker, 'message', { signal }), ended]);
  } finally {
    // Whoever listens for its end hears its errors too.
    starting.abort();
  }
  return worker;
};
