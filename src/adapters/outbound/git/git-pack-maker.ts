import type { ByteStream, PackMaker } from '../../../application/repositories/ports/object-stores.js';
import type { ObjectId } from '../../../domain/repositories/object-id.js';
import { Slots } from '../../turns/slots.js';
import { assertObjectId } from './command.js';
import { feedStream, streamOf, type Git } from './git.js';

const PACK_MS = 3_600_000;
/** Each holds a slot here and, as it is received, another one for long children: fewer at once than there are of those. */
const AT_ONCE = 2;

/** Makes packs by `pack-objects`. */
export class GitPackMaker implements PackMaker {
  readonly #turns = new Slots(AT_ONCE, AT_ONCE);

  constructor(private readonly git: Git) {}

  async make(store: string, tip: ObjectId, not: readonly ObjectId[]): Promise<ByteStream> {
    const revisions = [tip, ...not.map((id) => `^${assertObjectId(id)}`)];
    assertObjectId(tip);
    const give = await this.#turns.take(store);
    try {
      const fixed = ['pack-objects', '--stdout', '--revs', '--thin', '--delta-base-offset', '-q'];
      const child = await this.git.start(store, { fixed }, { deadlineMs: PACK_MS, yields: true });
      feedStream(child, inOnePiece(`${revisions.join('\n')}\n`)).catch(() => child.stdin.destroy());
      return streamOf(child, 'pack-objects', give);
    } catch (error) {
      give();
      throw error;
    }
  }
}

async function* inOnePiece(text: string): AsyncGenerator<Uint8Array> {
  yield await Promise.resolve(new TextEncoder().encode(text));
}
