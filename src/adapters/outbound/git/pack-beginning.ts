import { createHash } from 'node:crypto';
import type { ByteStream } from '../../../application/repositories/ports/object-stores.js';

const HASH_BYTES = 20;

export interface Beginning {
  /** The pack, where it is no larger. */
  readonly whole: Buffer | undefined;
  /** All of it, from its first byte. */
  readonly again: ByteStream;
}

/**
 * Reads a pack as far as it is small. It ends with the hash of all before: a client over SSH waits for its answer with its end still open.
 * What was read of a pack is hashed once, however small the pieces are in which it comes.
 */
export const readBeginning = async (pack: ByteStream, most: number): Promise<Beginning> => {
  const source = pack[Symbol.asyncIterator]();
  const hash = createHash('sha1');
  const chunks: Uint8Array[] = [];
  let rest: Buffer = Buffer.alloc(0);
  let [size, ended] = [0, false];
  while (size <= most) {
    const next = await source.next();
    ended = next.done === true;
    if (next.done === true) break;
    chunks.push(next.value);
    size += next.value.length;
    const unhashed = Buffer.concat([rest, next.value]);
    const end = Math.max(0, unhashed.length - HASH_BYTES);
    hash.update(unhashed.subarray(0, end));
    rest = unhashed.subarray(end);
    if (hash.copy().digest().equals(rest)) break;
  }
  const again = (async function* () {
    yield* chunks;
    while (!ended) {
      const next = await source.next();
      if (next.done === true) return;
      yield next.value;
    }
  })();
  return { whole: size <= most ? Buffer.concat(chunks) : undefined, again };
};
