import type { Request } from 'express';
import ipaddr from 'ipaddr.js';
import { OfferedPassword } from '../../../../application/identity/ports/password-hasher.js';
import { limitPerMinute, type Counting } from './limit-per-minute.js';

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

/** Counts a request by where it comes from. @throws TooManyRequests. */
export type LimitFrom = (request: Request) => Promise<void>;

/** @param what is limited. @param limit a minute for one address. */
export const limitFrom = (what: string, limit: number | 'off', counting: Counting): LimitFrom => {
  const limitPerAddress = limitPerMinute(what, limit, counting);
  return (request) => limitPerAddress(addressKey(request.ip ?? ''));
};

/** @param limit attempts a minute for one address. */
export const createSignInLimit = (limit: number | 'off', counting: Counting): LimitSignIn => {
  const limitSignIn = limitPerMinute('sign-in from', limit, counting);
  return async (request) => {
    const source = addressKey(request.ip ?? '');
    await limitSignIn(source);
    return (text) => new OfferedPassword(text, source);
  };
};
