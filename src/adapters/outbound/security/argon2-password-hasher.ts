import { hash, verify } from '@node-rs/argon2';
import { canonicalText } from '../../../domain/shared/canonical-text.js';
import type { PasswordHasher } from '../../../application/identity/ports/password-hasher.js';
import { Overloaded } from '../../../domain/shared/domain-error.js';
import { FairQueue } from './fair-queue.js';

// OWASP's first choice for argon2id, the algorithm that is the library's default.
const PARAMETERS = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };
const RETRY_AFTER_SECONDS = 2;

// Keyboards differ in how they write an accented letter (RFC 8265 §4.2.2).
const canonical = (password: string): string => canonicalText(password);

export interface HasherOptions {
  /** Hashes computed at once; the rest of the machine is for everybody else. */
  readonly concurrency: number;
  /** How many may wait before one is refused. */
  readonly queue: number;
}

export const createArgon2PasswordHasher = (
  { concurrency, queue }: HasherOptions = { concurrency: 2, queue: 64 },
): PasswordHasher => {
  const turns = new FairQueue(concurrency, queue, () => new Overloaded(RETRY_AFTER_SECONDS));
  // What the password of somebody who does not exist, or has none, is compared with.
  let decoy: Promise<string> | undefined;
  const decoyHash = (): Promise<string> => (decoy ??= hash('a password that nobody has', PARAMETERS));
  // New passwords and sign-ins of one source take turns, too: a proxy may stand for many people.
  return {
    hash: (password) => turns.run(`new ${password.source}`, () => hash(canonical(password.reveal()), PARAMETERS)),
    verify: (stored, password) =>
      turns.run(`known ${password.source}`, async () => {
        const matches = await verify(stored ?? (await decoyHash()), canonical(password.reveal()));
        return matches && stored !== null;
      }),
  };
};
