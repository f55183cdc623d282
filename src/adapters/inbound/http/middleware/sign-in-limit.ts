import type { Request } from 'express';
import ipaddr from 'ipaddr.js';
import { RateLimiterMemory } from 'rate-limiter-flexible';
import { OfferedPassword } from '../../../../application/identity/ports/password-hasher.js';
import { TooManyRequests } from '../../../../domain/shared/domain-error.js';

const WINDOW_SECONDS = 60;
/** An IPv6 customer has a whole /64 to choose addresses from, so that is what counts. */
const IPV6_GROUPS = 4;

/** What a client's address counts as, however it is written. One that is none, as a proxy may pass it on, counts as itself. */
export const addressKey = (address: string): string => {
  if (!ipaddr.isValid(address)) return address;
  const parsed = ipaddr.process(address);
  return parsed instanceof ipaddr.IPv6
    ? parsed.parts
        .slice(0, IPV6_GROUPS)
        .map((part) => part.toString(16))
        .join(':')
    : parsed.toString();
};

/** Makes a password one that may be hashed, for the address that offers it. */
export type OfferPassword = (text: string) => OfferedPassword;

/** Counts an attempt to sign in, and whatever else has a password hashed. @throws TooManyRequests. */
export type LimitSignIn = (request: Request) => Promise<OfferPassword>;

/** @param limit attempts a minute for one address; each process counts for itself. */
export const createSignInLimit = (limit: number | 'off'): LimitSignIn => {
  const offerFrom =
    (source: string): OfferPassword =>
    (text) =>
      new OfferedPassword(text, source);
  if (limit === 'off') return (request) => Promise.resolve(offerFrom(addressKey(request.ip ?? '')));
  const limiter = new RateLimiterMemory({ points: limit, duration: WINDOW_SECONDS });
  return async (request) => {
    const source = addressKey(request.ip ?? '');
    try {
      await limiter.consume(source);
      return offerFrom(source);
    } catch (error) {
      const { msBeforeNext } = error as { msBeforeNext?: number };
      if (msBeforeNext === undefined) throw error;
      throw new TooManyRequests(Math.ceil(msBeforeNext / 1000));
    }
  };
};
