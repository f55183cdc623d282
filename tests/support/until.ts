/** Much longer than it takes: a busy machine is not a fault. */
const PATIENCE_MS = 120_000;

/** Waits for what comes to be by itself. @throws Error when it does not in so many milliseconds. */
export const until = async (holds: () => Promise<boolean>, patience = PATIENCE_MS): Promise<void> => {
  const giveUpAt = performance.now() + patience;
  while (!(await holds())) {
    if (performance.now() > giveUpAt) throw new Error('It did not come to be in time.');
    await new Promise((resume) => setTimeout(resume, 50));
  }
};
