import type { Actor } from './actor.js';

/** On what occasion something is done: who asks, and from where. Whoever recognizes the caller writes down who it is. */
export interface Occasion {
  by: Actor | { readonly kind: 'operator' };
  readonly clientAddress: string | null;
  /** The program of the client, as it calls itself. */
  readonly userAgent?: string;
}
