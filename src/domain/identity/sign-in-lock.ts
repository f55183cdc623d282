/** Failed attempts that lock an account, and for how long. */
const FAILED_ATTEMPTS_LIMIT = 10;
export const LOCK_MINUTES = 10;

export interface AttemptRecord {
  readonly failedAttempts: number;
  readonly lockedUntil: Date | null;
}

export const isLocked = (record: AttemptRecord, now: Date): boolean =>
  record.lockedUntil !== null && record.lockedUntil > now;

/** What to remember after one more wrong password or code. A lock that has run out starts the count anew. */
export const afterFailure = (record: AttemptRecord, now: Date): AttemptRecord => {
  const lockRanOut = record.lockedUntil !== null && record.lockedUntil <= now;
  const failedAttempts = (lockRanOut ? 0 : record.failedAttempts) + 1;
  return {
    failedAttempts,
    lockedUntil: failedAttempts >= FAILED_ATTEMPTS_LIMIT ? new Date(now.getTime() + LOCK_MINUTES * 60_000) : null,
  };
};

export const NO_FAILURES: AttemptRecord = { failedAttempts: 0, lockedUntil: null };
