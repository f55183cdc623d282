import type { Clock } from '../../src/application/shared/ports/clock.js';

/** A clock that a test sets and moves. */
export class AdjustableClock implements Clock {
  #now: Date;

  constructor(start = new Date()) {
    this.#now = start;
  }

  now(): Date {
    return new Date(this.#now);
  }

  advance(milliseconds: number): void {
    this.#now = new Date(this.#now.getTime() + milliseconds);
  }
}
