import type { Clock } from '../shared/ports/clock.js';

interface PaceParts {
  readonly clock: Clock;
  readonly pause: (ms: number) => Promise<void>;
}

const SECOND_MS = 1_000;

/** Waits after each so many rows, so that no more than `rate` a second are taken; without a rate it waits for nothing. */
export const createPace = (
  rate: number | undefined,
  { clock, pause }: PaceParts,
): ((rows: number) => Promise<void>) => {
  let due = clock.now().getTime();
  return async (rows) => {
    if (rate === undefined) return;
    const now = clock.now().getTime();
    due = Math.max(due, now) + (rows * SECOND_MS) / rate;
    await pause(due - now);
  };
};
