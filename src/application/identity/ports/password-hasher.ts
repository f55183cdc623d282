import { Sensitive } from '../../shared/sensitive.js';

/**
 * A password with the source that offers it: nothing is hashed without saying for whom, as sources take turns. The limit of sign-ins
 * hands it out for requests, so that whatever hashes has been counted there.
 */
export class OfferedPassword extends Sensitive {
  constructor(
    text: string,
    readonly source: string,
  ) {
    super(text);
  }
}

/** Slow on purpose, and bounded: sources take turns, and when too many wait the one with the most is refused. */
export interface PasswordHasher {
  /** @throws Overloaded when the queue is full. */
  hash(password: OfferedPassword): Promise<string>;
  /**
   * `hash` null takes as long as a real comparison and answers false, so that time does not tell who exists.
   * @throws Overloaded when the queue is full.
   */
  verify(hash: string | null, password: OfferedPassword): Promise<boolean>;
}
