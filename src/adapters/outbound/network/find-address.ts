import { lookup } from 'node:dns/promises';
import type { MayReach } from '../../../domain/shared/outbound-url.js';

export interface FoundAddress {
  readonly address: string;
  readonly family: number;
}

/** Finds the addresses of a name. */
export type Resolve = (host: string) => Promise<readonly FoundAddress[]>;

/** The address of a host that a connection goes to, and to no other; undefined where it may not go to any of them. */
export type FindAddress = (hostname: string) => Promise<FoundAddress | undefined>;

const resolveByDns: Resolve = (host) => lookup(host, { all: true, order: 'verbatim' });

/** Answers an address that was checked, for a connection to that very one: a name that leads elsewhere a moment later changes nothing. */
export const createFindAddress =
  (mayReach: MayReach, resolve: Resolve = resolveByDns): FindAddress =>
  async (hostname) => {
    const host = hostname.replace(/^\[|\]$/g, '');
    if (!mayReach(host)) return undefined;
    return (await resolve(host)).find(({ address }) => mayReach(address));
  };
