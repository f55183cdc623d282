import type { IncomingMessage } from 'node:http';
import type { Request } from 'express';
import { LRUCache } from 'lru-cache';
import { TooManyRequests } from '../../../../domain/shared/domain-error.js';
import { addressKey } from './sign-in-limit.js';

const WINDOW_MS = 60_000;
/** The addresses that are counted at once: beyond them the one that was quiet the longest is forgotten. */
const MOST_ADDRESSES = 10_000;

/** Counts a wrong key of an address. @throws TooManyRequests beyond the limit. */
export type CountWrongKey = (request: IncomingMessage) => void;

/**
 * Wrong keys of alert integrations. It is asked once a key was found wrong, so that a correct one is never refused for what others send
 * from the same address, such as that of a proxy.
 *
 * @param limit wrong keys a minute for one address; each process counts for itself.
 */
export const createWrongKeyLimit = (limit: number | 'off', now = () => performance.now()): CountWrongKey => {
  if (limit === 'off') return () => undefined;
  const windows = new LRUCache<string, { readonly endsAt: number; count: number }>({
    // By size, since room for so many by number would be taken at once.
    maxSize: MOST_ADDRESSES,
    sizeCalculation: () => 1,
  });
  return (request) => {
    // Born with the prototype of Express, which knows the proxies to believe.
    const address = addressKey((request as Request).ip ?? '');
    const at = now();
    const known = windows.get(address);
    const window = known === undefined || known.endsAt <= at ? { endsAt: at + WINDOW_MS, count: 0 } : known;
    window.count += 1;
    windows.set(address, window);
    if (window.count > limit) throw new TooManyRequests(Math.ceil((window.endsAt - at) / 1_000));
  };
};
