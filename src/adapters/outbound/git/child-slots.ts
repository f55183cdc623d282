import { currentOccasion } from '../../occasions/current-occasion.js';
import { Slots } from '../../turns/slots.js';
import { storesNamed } from './store-folders.js';

export interface ChildBounds {
  readonly most: number;
  readonly ofStore: number;
  readonly ofCaller: number;
  readonly waitMs: number;
}

/** Who asks: a person by their account, everybody else by their address. Undefined for work of the service itself. */
const callerOf = (): string | undefined => {
  const occasion = currentOccasion();
  if (occasion === undefined) return undefined;
  if (occasion.by.kind === 'user') return `user ${occasion.by.id}`;
  return occasion.by.kind === 'operator' ? undefined : `address ${occasion.clientAddress ?? ''}`;
};

/**
 * Bounds how many children run: in all, on one store, and for one caller, so that nobody takes them all. What is too much for its caller
 * waits apart, and holds up nobody else.
 */
export class ChildSlots {
  readonly #ofCallers: Slots;
  readonly #children: Slots;

  constructor({ most, ofStore, ofCaller, waitMs }: ChildBounds) {
    this.#ofCallers = new Slots(Infinity, ofCaller, waitMs);
    this.#children = new Slots(most, ofStore, waitMs);
  }

  /** Takes a slot; what it answers gives the slot back. @throws Overloaded when none falls free in time. */
  async take(store: string): Promise<() => void> {
    const caller = callerOf();
    const giveBack = caller === undefined ? undefined : await this.#ofCallers.take(caller);
    try {
      const give = await this.#children.take(storesNamed(store)[0] ?? store);
      return () => {
        give();
        giveBack?.();
      };
    } catch (error) {
      giveBack?.();
      throw error;
    }
  }

  /** Holds a slot while the work runs. */
  async during<Result>(store: string, work: () => Promise<Result>): Promise<Result> {
    const give = await this.take(store);
    try {
      return await work();
    } finally {
      give();
    }
  }
}
