import type { Request } from 'express';
import type { Actor } from '../../../../application/shared/actor.js';
import { addressKey } from './limit-per-address.js';
import { limitPerMinute, type Counting } from './limit-per-minute.js';

/** @throws TooManyRequests. */
export type LimitRequests = (request: Request, actor: Actor | undefined) => Promise<void>;

const keyOf = (request: Request, actor: Actor | undefined): string =>
  actor?.kind === 'user' ? `user:${actor.id}` : `address:${addressKey(request.ip ?? '')}`;

/**
 * Counts requests of the API by user; without one, and with a token that is not good, by address.
 *
 * @param limit requests a minute.
 */
export const createApiLimit = (limit: number | 'off', counting: Counting): LimitRequests => {
  const limitRequests = limitPerMinute('requests of', limit, counting);
  return (request, actor) => limitRequests(keyOf(request, actor));
};
