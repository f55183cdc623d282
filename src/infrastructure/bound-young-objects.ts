import { PerformanceObserver } from 'node:perf_hooks';
import { getHeapSpaceStatistics } from 'node:v8';
import { collectYoungAlone, setYoungGrowth } from './lean-start.js';

/** Both halves of the space together. Node 24 takes eight times as much otherwise, for no more requests a second. */
const MOST_BYTES = 8 * 1_048_576;

const youngBytes = (): number =>
  getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space')?.space_size ?? 0;

/**
 * Lets the space of young objects grow under requests, where it pays, up to a bound: one large answer would take it to the engine's
 * own, and leave it there. The engine has a setting for that, but only on its command line, and heeds this one at any time.
 */
export const boundYoungObjects = (): void => {
  let growth: 1 | 2 = 2;
  const adapt = (): void => {
    const next = youngBytes() < MOST_BYTES ? 2 : 1;
    if (next !== growth) setYoungGrowth(next);
    growth = next;
  };
  setYoungGrowth(growth);
  collectYoungAlone();
  new PerformanceObserver(adapt).observe({ entryTypes: ['gc'] });
};
