import type { Request } from 'express';
import ipaddr from 'ipaddr.js';
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

/** Counts a request by the address that it comes from. @throws TooManyRequests beyond the limit. */
export type LimitPerAddress = (request: Request) => Promise<void>;

/** @param what is limited, as `limitPerMinute` names it. @param limit a minute for one address. */
export const limitPerAddress = (what: string, limit: number | 'off', counting: Counting): LimitPerAddress => {
  const count = limitPerMinute(what, limit, counting);
  return (request) => count(addressKey(request.ip ?? ''));
};
