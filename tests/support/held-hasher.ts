import { createArgon2PasswordHasher } from '../../src/adapters/outbound/security/argon2-password-hasher.js';
import type { OfferedPassword, PasswordHasher } from '../../src/application/identity/ports/password-hasher.js';
import { until } from './until.js';

/** Hashes as the service does, but, while it is held, in a queue that does not move, as one that is full moves slowly. */
export class HeldHasher implements PasswordHasher {
  readonly #hasher = createArgon2PasswordHasher({ concurrency: 4, queue: 64 });
  #held = Promise.resolve();
  #waiting = 0;

  hash(password: OfferedPassword): Promise<string> {
    return this.#inTurn(() => this.#hasher.hash(password));
  }

  verify(stored: string | null, password: OfferedPassword): Promise<boolean> {
    return this.#inTurn(() => this.#hasher.verify(stored, password));
  }

  /** What is answered to a request whose password waits while something else is done. */
  async meanwhile<Answer>(request: () => Promise<Answer>, act: () => Promise<unknown>): Promise<Answer> {
    let release = (): void => undefined;
    this.#held = new Promise((resolve) => (release = resolve));
    const answer = request();
    try {
      await until(() => Promise.resolve(this.#waiting > 0));
      await act();
    } finally {
      release();
      this.#held = Promise.resolve();
    }
    return answer;
  }

  async #inTurn<Result>(hash: () => Promise<Result>): Promise<Result> {
    this.#waiting += 1;
    await this.#held;
    this.#waiting -= 1;
    return hash();
  }
}
