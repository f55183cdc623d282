import ipaddr from 'ipaddr.js';
import type { MayReach } from '../../../domain/shared/outbound-url.js';

type Address = ReturnType<typeof ipaddr.parse>;
type Network = readonly [Address, number];

const IPV4_BITS = 32;
const IPV6_BITS = 128;

// The only part of IPv6 that is given out for the whole world (RFC 4291 §2.4); every other leads elsewhere, or to an IPv4 inside.
const GLOBAL_UNICAST: Network = [ipaddr.parse('2000::'), 3];

const toNetwork = (text: string): Network => {
  const [address = '', bits] = text.split('/');
  const start = ipaddr.parse(address);
  return [start, bits === undefined ? (start.kind() === 'ipv4' ? IPV4_BITS : IPV6_BITS) : Number(bits)];
};

const lies = (address: Address, [start, bits]: Network): boolean =>
  address.kind() === start.kind() && address.match(start, bits);

const isPublic = (address: Address): boolean =>
  address.range() === 'unicast' && (address.kind() === 'ipv4' || lies(address, GLOBAL_UNICAST));

const LOCALHOST = /^(?:.+\.)?localhost\.?$/i;

/** The addresses that a host is known to have without a look-up; none for a name. */
const knownAddresses = (host: string): readonly Address[] => {
  if (LOCALHOST.test(host)) return ['127.0.0.1', '::1'].map((text) => ipaddr.parse(text));
  const literal = host.replace(/^\[|\]$/g, '');
  // IPv4 within IPv6 (`::ffff:127.0.0.1`) is what it leads to.
  return ipaddr.isValid(literal) ? [ipaddr.process(literal)] : [];
};

/** Whether an address is in one of the networks that the operator names, wherever else it may be. */
export const createIsAllowed = (allowlist: readonly string[]): MayReach => {
  const allowed = allowlist.map(toNetwork);
  return (host) => knownAddresses(host).some((address) => allowed.some((network) => lies(address, network)));
};

/** @param allowlist networks such as `10.1.0.0/16`, and single addresses, that may be reached though they are not public. */
export const createMayReach = (allowlist: readonly string[]): MayReach => {
  const isAllowed = createIsAllowed(allowlist);
  return (host) => {
    const addresses = knownAddresses(host);
    return addresses.length === 0 || addresses.some(isPublic) || isAllowed(host);
  };
};
