import type { IncomingMessage } from 'node:http';
import type { Request } from 'express';
import { limitPerAddress } from './limit-per-address.js';
import type { Counting } from './limit-per-minute.js';

/** Counts a wrong key of an address. @throws TooManyRequests beyond the limit. */
export type CountWrongKey = (request: IncomingMessage) => Promise<void>;

/**
 * Wrong keys of alert integrations. It is asked once a key was found wrong, so that a correct one is never refused for what others send
 * from the same address, such as that of a proxy.
 *
 * @param limit wrong keys a minute for one address.
 */
export const createWrongKeyLimit = (limit: number | 'off', counting: Counting): CountWrongKey => {
  const limitWrongKeys = limitPerAddress('wrong keys from', limit, counting);
  // Born with the prototype of Express, which knows the proxies to believe.
  return (request) => limitWrongKeys(request as Request);
};
