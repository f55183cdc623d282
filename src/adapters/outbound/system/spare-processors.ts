import { availableParallelism, cpus } from 'node:os';

/** The system counts in steps of 10 ms. */
const WINDOW_MS = 250;
const MS_PER_MICROSECOND = 0.001;

const ownMs = (): number => {
  const { user, system } = process.cpuUsage();
  return (user + system) * MS_PER_MICROSECOND;
};

/** The time of all processors, as far as the host of this machine gave it. */
const look = (): { readonly given: number; readonly idle: number; readonly own: number } => {
  const processors = cpus().map(({ times }) => times);
  const given = processors.reduce((sum, { user, nice, sys, idle, irq }) => sum + user + nice + sys + idle + irq, 0);
  return { given, idle: processors.reduce((sum, { idle }) => sum + idle, 0), own: ownMs() };
};

/**
 * How many processors of this machine others left lately: those that had nothing to do, what this process took of them, and as much again for each of
 * the database servers that work for it. None as long as that is not known, which it never is where the process may use a part of the machine only.
 */
export const watchSpareProcessors = (servers = 0): (() => number) => {
  let [at, before, spare] = [performance.now(), look(), 0];
  return () => {
    if (performance.now() - at < WINDOW_MS || availableParallelism() < cpus().length) return spare;
    const now = look();
    const left = now.idle - before.idle + (now.own - before.own) * (1 + servers);
    spare = Math.min(cpus().length, (left / Math.max(1, now.given - before.given)) * cpus().length);
    [at, before] = [performance.now(), now];
    return spare;
  };
};
