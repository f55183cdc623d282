/** Whether `make prove` runs, which judges how fast something is. */
export const JUDGED = process.env['GATEHOUSE_JUDGE_SPEED'] === 'true';

/**
 * How long it may take to read a hostile text, in milliseconds. How fast it is, `make prove` judges, with nothing beside it; elsewhere
 * only what is out of all proportion fails.
 */
export const QUICK_MS = JUDGED ? 50 : 1_000;

/** How long the processor was busy with some work, in milliseconds: what else the machine did meanwhile is not counted. */
export const processorTime = (work: () => void): number => {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
};
