/** Slow on purpose, and bounded: when too many wait already it refuses instead of queueing without end. */
export interface PasswordHasher {
  /** @throws TooManyRequests when the queue is full. */
  hash(password: string): Promise<string>;
  /**
   * `hash` null takes as long as a real comparison and answers false, so that time does not tell who exists.
   * @throws TooManyRequests when the queue is full.
   */
  verify(hash: string | null, password: string): Promise<boolean>;
}
