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

/** A clock that is advanced by whoever pauses, and how long they did each time, in milliseconds. */
export const pausingClock = () => {
  const clock = new AdjustableClock();
  const waited: number[] = [];
  const pause = (ms: number): Promise<void> => {
    waited.push(ms);
    clock.advance(ms);
    return Promise.resolve();
  };
  return { clock, waited, pause };
};
