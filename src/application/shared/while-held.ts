/** Waits; ends early with the signal. */
export type Pause = (ms: number, signal: AbortSignal) => Promise<void>;

interface Hold {
  /** Takes it for longer. False where it was lost. */
  readonly renew: () => Promise<boolean>;
  readonly everyMs: number;
  readonly pause: Pause;
  /** Aborted once what was held is lost: somebody else may begin the same. */
  readonly end: AbortController;
}

/** Does a work while its lease is renewed, however long it takes. */
export const whileHeld = async <Result>(
  { renew, everyMs, pause, end }: Hold,
  work: () => Promise<Result>,
): Promise<Result> => {
  const done = new AbortController();
  const beat = async (): Promise<void> => {
    for (;;) {
      await pause(everyMs, done.signal);
      if (done.signal.aborted) return;
      // A database that is away for that long may have given it to somebody else.
      if (!(await renew().catch(() => false))) return end.abort();
    }
  };
  const beating = beat();
  try {
    return await work();
  } finally {
    done.abort();
    await beating;
  }
};
