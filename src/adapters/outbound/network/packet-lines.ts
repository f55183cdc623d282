/** The longest that git writes. */
const MOST = 65_520;

export class BrokenPackets extends Error {}

/**
 * Reads the packets of git's protocol as they come; null is the one that ends a list.
 * @throws BrokenPackets for what is no packet, or ends within one.
 */
export async function* readPackets(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer | null> {
  let rest: Buffer = Buffer.alloc(0);
  for await (const chunk of bytes) {
    rest = rest.length === 0 ? Buffer.from(chunk) : Buffer.concat([rest, chunk]);
    let at = 0;
    while (rest.length - at >= 4) {
      const length = lengthIn(rest.toString('latin1', at, at + 4));
      if (length === 0) {
        yield null;
        at += 4;
      } else if (rest.length - at >= length) {
        yield rest.subarray(at + 4, at + length);
        at += length;
      } else break;
    }
    rest = rest.subarray(at);
  }
  if (rest.length > 0) throw new BrokenPackets();
}

const lengthIn = (digits: string): number => {
  const length = /^[0-9a-f]{4}$/i.test(digits) ? Number.parseInt(digits, 16) : -1;
  if (length !== 0 && (length < 4 || length > MOST)) throw new BrokenPackets();
  return length;
};

export const packet = (text: string): string => (text.length + 4).toString(16).padStart(4, '0') + text;
export const END_OF_LIST = '0000';
