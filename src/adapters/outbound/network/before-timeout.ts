/** The result of a work, or the reason of a timeout that comes first: look-ups of names can't be ended. */
export const beforeTimeout = <Result>(work: Promise<Result>, timeout: AbortSignal): Promise<Result> =>
  new Promise((resolve, reject) => {
    timeout.addEventListener('abort', () => reject(timeout.reason as Error), { once: true });
    work.then(resolve, reject);
  });
