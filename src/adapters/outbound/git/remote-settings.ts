import type { RemoteAddress } from '../../../domain/shared/remote-url.js';
import type { Setting } from './command.js';

/** The name by which commands know it: the address and what is pushed are settings of it, so that neither is on a command line. */
export const REMOTE = 'elsewhere';

/** One that sends nothing for that long is given up. */
const SILENT_SECONDS = 60;

/** An address that a connection goes to. */
export interface PinnedAddress {
  readonly address: string;
  readonly family: number;
}

const headerOf = ({ credentials }: RemoteAddress): readonly Setting[] => {
  if (credentials === null) return [];
  const basic = Buffer.from(`${credentials.username}:${credentials.password}`).toString('base64');
  return [['http.extraHeader', `Authorization: Basic ${basic}`]];
};

/** A name leads to the address that was checked, whatever it leads to a moment later. A host that is an address needs no look-up. */
const pinOf = ({ protocol, hostname, port }: URL, { address, family }: PinnedAddress): readonly Setting[] => {
  if (hostname.startsWith('[')) return [];
  const reached = family === 6 ? `[${address}]` : address;
  return [['http.curloptResolve', `${hostname}:${port || (protocol === 'https:' ? 443 : 80)}:${reached}`]];
};

/** One protocol, one address, nowhere else: no redirect, no proxy, nobody who is asked for a password. */
export const remoteSettings = (
  remote: RemoteAddress,
  pinned: PinnedAddress,
  pushed: readonly string[] = [],
): readonly Setting[] => {
  const url = new URL(remote.url);
  return [
    [`protocol.${url.protocol.slice(0, -1)}.allow`, 'always'],
    ['http.followRedirects', 'false'],
    ['http.proxy', ''],
    ['http.lowSpeedLimit', '1'],
    ['http.lowSpeedTime', String(SILENT_SECONDS)],
    ['credential.helper', ''],
    ...pinOf(url, pinned),
    ...headerOf(remote),
    [`remote.${REMOTE}.url`, url.href],
    ...pushed.map((refspec) => [`remote.${REMOTE}.push`, refspec] as const),
  ];
};
