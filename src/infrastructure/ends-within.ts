import { setTimeout as sleep } from 'node:timers/promises';

/** Waits for something to end, and no longer than it may take; whether it has ended. */
export const endsWithin = async (limitMs: number, work: Promise<unknown>): Promise<boolean> => {
  const ended = new AbortController();
  const limit = sleep(limitMs, false, { signal: ended.signal }).catch(() => false);
  try {
    return await Promise.race([work.then(() => true), limit]);
  } finally {
    ended.abort();
  }
};
