import type { Request } from 'express';
import { RateLimiterMemory } from 'rate-limiter-flexible';
import type { Actor } from '../../../../application/shared/actor.js';
import { TooManyRequests } from '../../../../domain/shared/domain-error.js';
import { addressKey } from './sign-in-limit.js';

const WINDOW_SECONDS = 60;

/** @throws TooManyRequests. */
export type LimitRequests = (request: Request, actor: Actor | undefined) => Promise<void>;

const keyOf = (request: Request, actor: Actor | undefined): string =>
  actor?.kind === 'user' ? `user:${actor.id}` : `address:${addressKey(request.ip ?? '')}`;

/**
 * Counts requests of the API by user; without one, and with a token that is not good, by address.
 *
 * @param limit requests a minute; each process counts for itself.
 */
export const createApiLimit = (limit: number | 'off'): LimitRequests => {
  if (limit === 'off') return () => Promise.resolve();
  const limiter = new RateLimiterMemory({ points: limit, duration: WINDOW_SECONDS });
  return async (request, actor) => {
    try {
      await limiter.consume(keyOf(request, actor));
    } catch (error) {
      const { msBeforeNext } = error as { msBeforeNext?: number };
      if (msBeforeNext === undefined) throw error;
      throw new TooManyRequests(Math.ceil(msBeforeNext / 1000));
    }
  };
};
