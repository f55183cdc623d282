import { hash, verify } from '@node-rs/argon2';
import pLimit from 'p-limit';
import { canonicalText } from '../../../domain/shared/canonical-text.js';
import type { PasswordHasher } from '../../../application/identity/ports/password-hasher.js';
import { TooManyRequests } from '../../../domain/shared/domain-error.js';

// OWASP's first choice for argon2id, the algorithm that is the library's default.
const PARAMETERS = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };
const RETRY_AFTER_SECONDS = 2;

// Keyboards differ in how they write an accented letter (RFC 8265 §4.2.2).
const canonical = (password: string): string => canonicalText(password);

export interface HasherOptions {
  /** Hashes computed at once; the rest of the machine is for everybody else. */
  readonly concurrency: number;
  /** How many may wait before the next is refused. */
  readonly queue: number;
}

export const createArgon2PasswordHasher = (
  { concurrency, queue }: HasherOptions = { concurrency: 2, queue: 64 },
): PasswordHasher => {
  const limit = pLimit(concurrency);
  const run = <Result>(compute: () => Promise<Result>): Promise<Result> => {
    if (limit.pendingCount >= queue) return Promise.reject(new TooManyRequests(RETRY_AFTER_SECONDS));
    return limit(compute);
  };
  // What the password of somebody who does not exist, or has none, is compared with.
  let decoy: Promise<string> | undefined;
  const decoyHash = (): Promise<string> => (decoy ??= hash('a password that nobody has', PARAMETERS));
  return {
    hash: (password) => run(() => hash(canonical(password), PARAMETERS)),
    verify: (stored, password) =>
      run(async () => {
        const matches = await verify(stored ?? (await decoyHash()), canonical(password));
        return matches && stored !== null;
      }),
  };
};
