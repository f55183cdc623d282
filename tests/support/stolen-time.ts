import { readFileSync } from 'node:fs';

const STEAL = 7;

/** Time of all processors since the machine started, in ticks (proc(5), `/proc/stat`): none of it elsewhere than on Linux. */
const ticks = (): { readonly all: number; readonly stolen: number } => {
  if (process.platform !== 'linux') return { all: 0, stolen: 0 };
  const [, ...columns] = readFileSync('/proc/stat', 'utf8').split('\n', 1)[0]?.split(/\s+/) ?? [];
  // Of the columns that follow, the first two have a part in these.
  const times = columns.slice(0, STEAL + 1).map(Number);
  return { all: times.reduce((sum, time) => sum + time, 0), stolen: times[STEAL] ?? 0 };
};

/** Begins to watch; the answer tells which share of the machine's time, from 0 to 1, its host gave to others since. */
export const watchStolenTime = (): (() => number) => {
  const before = ticks();
  return () => {
    const after = ticks();
    return (after.stolen - before.stolen) / Math.max(1, after.all - before.all);
  };
};
