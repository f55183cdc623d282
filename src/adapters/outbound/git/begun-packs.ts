import type { ByteStream } from '../../../application/repositories/ports/object-stores.js';

/** What every pack begins with: its name, and the only version that git sends. It stands at the beginning of what a packet carries. */
const BEGINNING = Buffer.from('PACK\0\0\0\u0002', 'latin1');

/** Passes an answer of git on, and tells once when a pack begins in it: what only settles who has what brings none. */
export async function* tellingOfPack(answer: ByteStream, begun: () => void): AsyncGenerator<Uint8Array> {
  let last = Buffer.alloc(0);
  let told = false;
  for await (const chunk of answer) {
    if (!told) {
      const bytes = Buffer.concat([last, chunk]);
      told = bytes.includes(BEGINNING);
      if (told) begun();
      last = bytes.subarray(Math.max(0, bytes.length - BEGINNING.length + 1));
    }
    yield chunk;
  }
}
