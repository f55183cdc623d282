import type { Request } from 'express';
import { RateLimiterMemory } from 'rate-limiter-flexible';
import { TooManyRequests } from '../../../../domain/shared/domain-error.js';

const WINDOW_SECONDS = 60;
/** An IPv6 customer has a whole /64 to choose addresses from, so that is what counts. */
const IPV6_GROUPS = 4;

const expand = (address: string): readonly string[] => {
  const [head = '', tail] = address.split('::');
  const [left, right] = [head.split(':').filter(Boolean), (tail ?? '').split(':').filter(Boolean)];
  return tail === undefined ? left : [...left, ...Array<string>(8 - left.length - right.length).fill('0'), ...right];
};

/** What a client's address counts as. */
export const addressKey = (address: string): string => {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1];
  if (mapped !== undefined) return mapped;
  return address.includes(':') ? expand(address).slice(0, IPV6_GROUPS).join(':') : address;
};

/** Counts an attempt to sign in. @throws TooManyRequests. */
export type LimitSignIn = (request: Request) => Promise<void>;

/** @param limit attempts a minute for one address; each process counts for itself. */
export const createSignInLimit = (limit: number | 'off'): LimitSignIn => {
  if (limit === 'off') return () => Promise.resolve();
  const limiter = new RateLimiterMemory({ points: limit, duration: WINDOW_SECONDS });
  return async (request) => {
    try {
      await limiter.consume(addressKey(request.ip ?? ''));
    } catch (error) {
      const { msBeforeNext } = error as { msBeforeNext?: number };
      if (msBeforeNext === undefined) throw error;
      throw new TooManyRequests(Math.ceil(msBeforeNext / 1000));
    }
  };
};
