import type {
  ByteStream,
  PackBegun,
  PackSender,
  ProtocolVersion,
} from '../../../application/repositories/ports/object-stores.js';
import { ByteReader } from '../../streams/byte-reader.js';
import { begun } from './begun.js';
import { tellingOfPack } from './begun-packs.js';
import { feedStream, streamOf, type Git } from './git.js';

const FETCH_MS = 3_600_000;

/** Git begins by telling the refs; the client has been told them already, from the rows. */
async function* afterRefs(answer: ByteStream): AsyncGenerator<Uint8Array> {
  const reader = new ByteReader(answer);
  for (;;) {
    const header = (await reader.bytes(4))?.toString('latin1') ?? '';
    const size = Number.parseInt(header, 16);
    // The flush after them, or an end before it.
    if (!(size > 4)) break;
    await reader.bytes(size - 4);
  }
  yield* reader.rest();
}

/** Serves fetches by git's own `upload-pack`, one request at a time. */
export class GitPackSender implements PackSender {
  constructor(private readonly git: Git) {}

  async send(store: string, version: ProtocolVersion, request: ByteStream, packBegun: PackBegun): Promise<ByteStream> {
    const answer = await this.#serve(store, ['--stateless-rpc'], version, request);
    return begun(tellingOfPack(answer, packBegun));
  }

  async converse(store: string, request: ByteStream, packBegun: PackBegun): Promise<ByteStream> {
    return tellingOfPack(afterRefs(await this.#serve(store, [], 0, request)), packBegun);
  }

  async #serve(
    store: string,
    options: readonly string[],
    version: ProtocolVersion,
    request: ByteStream,
  ): Promise<AsyncGenerator<Uint8Array>> {
    const give = await this.git.parts.heavy.take(store);
    try {
      const fixed = ['upload-pack', '--strict', ...options, this.git.folders.of(store)];
      const child = await this.git.start(store, { fixed }, { protocol: version, deadlineMs: FETCH_MS, yields: true });
      feedStream(child, request).catch(() => {
        child.kill();
        child.stdin.destroy();
      });
      // What is wrong with a request git tells the client itself.
      return streamOf(child, 'upload-pack', give, { failures: 'told' });
    } catch (error) {
      give();
      throw error;
    }
  }
}
