import type { Request } from 'express';
import { OfferedPassword } from '../../../../application/identity/ports/password-hasher.js';
import { addressKey, limitPerAddress } from './limit-per-address.js';
import type { Counting } from './limit-per-minute.js';

/** Makes a password one that may be hashed, for the address that offers it. */
export type OfferPassword = (text: string) => OfferedPassword;

/** Counts an attempt to sign in, and whatever else has a password hashed. @throws TooManyRequests. */
export type LimitSignIn = (request: Request) => Promise<OfferPassword>;

/** @param limit attempts a minute for one address. */
export const createSignInLimit = (limit: number | 'off', counting: Counting): LimitSignIn => {
  const limitSignIn = limitPerAddress('sign-in from', limit, counting);
  return async (request) => {
    await limitSignIn(request);
    const source = addressKey(request.ip ?? '');
    return (text) => new OfferedPassword(text, source);
  };
};
