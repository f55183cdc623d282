import { availableParallelism, cpus } from 'node:os';

/** The system counts in steps of 10 ms. */
const WINDOW_MS = 250;
const MS_PER_MICROSECOND = 0.001;

const idleMs = (): number => cpus().reduce((sum, { times }) => sum + times.idle, 0);

const ownMs = (): number => {
  const { user, system } = process.cpuUsage();
  return (user + system) * MS_PER_MICROSECOND;
};

/**
 * How many processors of this machine others left lately: those that had nothing to do, and what this process took of them. None as long
 * as that is not known, which it never is where the process may use a part of the machine only.
 */
export const watchSpareProcessors = (): (() => number) => {
  const look = () => ({ at: performance.now(), left: idleMs() + ownMs() });
  let [before, spare] = [look(), 0];
  return () => {
    if (performance.now() - before.at < WINDOW_MS || availableParallelism() < cpus().length) return spare;
    const now = look();
    spare = (now.left - before.left) / (now.at - before.at);
    before = now;
    return spare;
  };
};
