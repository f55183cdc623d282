import { isRetryable } from '../postgres-dialect.js';

const TRIES = 10;

/** Tries again what was rolled back since it and those who are served waited for each other. */
export const outlivingDeadlocks = async <Result>(work: () => Promise<Result>): Promise<Result> => {
  for (let tries = 1; ; tries += 1)
    try {
      return await work();
    } catch (error) {
      if (tries === TRIES || !isRetryable(error)) throw error;
    }
};
