import { setTimeout as sleep } from 'node:timers/promises';

/** What comes of a work in time; else undefined, while the work goes on for whoever asks next. Its failure is no answer either. */
export const inTime = async <T>(work: Promise<T>, ms: number): Promise<T | undefined> => {
  const giveUp = new AbortController();
  const failed = work.catch(() => undefined);
  try {
    return await Promise.race([failed, sleep(ms, undefined, { signal: giveUp.signal, ref: false })]);
  } finally {
    giveUp.abort();
  }
};
