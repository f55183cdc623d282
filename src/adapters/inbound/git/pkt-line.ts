import type { ByteReader } from '../../streams/byte-reader.js';

/** What ends a part of a message, or a message. */
export const FLUSH = '0000';
export const DELIMITER = '0001';

const HEADER_BYTES = 4;
/** Of one packet, without its header (gitprotocol-common). */
const MOST_PAYLOAD = 65_516;
/** Of one packet of a side band, which has a byte for the band. */
const MOST_OF_BAND = MOST_PAYLOAD - 1;

export type Packet = { readonly kind: 'data'; readonly payload: Buffer } | { readonly kind: 'flush' | 'delimiter' };

/** What a client sends is not what git sends. */
export class Malformed extends Error {}

export const packet = (payload: string | Uint8Array): Buffer => {
  const bytes = Buffer.from(payload);
  return Buffer.concat([Buffer.from((bytes.length + HEADER_BYTES).toString(16).padStart(HEADER_BYTES, '0')), bytes]);
};

/** Tells a client why nothing comes. */
export const errorPacket = (reason: string): Buffer => packet(`ERR ${reason}`);

/** Bytes as packets of a band: 1 is data, 2 is for the person, 3 is fatal. */
export const bandPackets = (band: 1 | 2 | 3, bytes: Buffer): Buffer => {
  const packets: Buffer[] = [];
  for (let at = 0; at < bytes.length; at += MOST_OF_BAND)
    packets.push(packet(Buffer.concat([Buffer.of(band), bytes.subarray(at, at + MOST_OF_BAND)])));
  return Buffer.concat(packets);
};

/** Says nothing, so that nobody between takes the connection for dead. */
export const keepAlive = (): Buffer => packet(Buffer.of(2));

/** The next packet; undefined at the end. @throws Malformed. */
export const readPacket = async (reader: ByteReader): Promise<Packet | undefined> => {
  if (await reader.atEnd()) return undefined;
  const header = (await reader.bytes(HEADER_BYTES))?.toString('latin1') ?? '';
  if (!/^[0-9a-fA-F]{4}$/.test(header)) throw new Malformed('Not a packet of git.');
  if (header === FLUSH) return { kind: 'flush' };
  if (header === DELIMITER) return { kind: 'delimiter' };
  const size = Number.parseInt(header, 16) - HEADER_BYTES;
  if (size < 0 || size > MOST_PAYLOAD) throw new Malformed('A packet of git has an impossible size.');
  const payload = await reader.bytes(size);
  if (payload === undefined) throw new Malformed('A packet of git ends early.');
  return { kind: 'data', payload };
};

/** The text of a packet, without the line feed at its end. */
export const textOf = (payload: Buffer): string => payload.toString('utf8').replace(/\n$/, '');
