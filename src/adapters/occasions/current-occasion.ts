import { AsyncLocalStorage } from 'node:async_hooks';
import type { Actor } from '../../application/shared/actor.js';
import type { Occasion } from '../../application/shared/occasion.js';

const occasions = new AsyncLocalStorage<Occasion>();

/** Runs work, and all that it starts, on an occasion. */
export const onOccasion = <Result>(occasion: Occasion, work: () => Result): Result => occasions.run(occasion, work);

/** Runs work that nobody waits for: what began it may have been somebody's request. */
export const offOccasion = <Result>(work: () => Result): Result => occasions.exit(work);

/** Undefined for what nobody asked for: jobs, and what runs by the clock. */
export const currentOccasion = (): Occasion | undefined => occasions.getStore();

/** Writes down who asks, once they are recognized. */
export const recognize = (actor: Actor): void => {
  const occasion = occasions.getStore();
  if (occasion !== undefined) occasion.by = actor;
};
