import type { Clock } from '../../../application/shared/ports/clock.js';

export const systemClock: Clock = { now: () => new Date() };

/** Right when the process started, and even from then on, whatever becomes of the system's: what is counted by the minute goes by it. */
export const steadyClock: Clock = { now: () => new Date(performance.timeOrigin + performance.now()) };
