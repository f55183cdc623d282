/** Much longer than it takes: a busy machine is not a fault. */
const PATIENCE_MS = 120_000;
/** What comes soon is seen soon; what takes longer is not asked for all the time. */
const FIRST_PAUSE_MS = 2;
const LONGEST_PAUSE_MS = 50;

/** Waits for what comes to be by itself. @throws Error when it does not in so many milliseconds. */
export const until = async (holds: () => Promise<boolean>, patience = PATIENCE_MS): Promise<void> => {
  const giveUpAt = performance.now() + patience;
  let pause = FIRST_PAUSE_MS;
  while (!(await holds())) {
    if (performance.now() > giveUpAt) throw new Error('It did not come to be in time.');
    await new Promise((resume) => setTimeout(resume, pause));
    pause = Math.min(pause * 1.5, LONGEST_PAUSE_MS);
  }
};
