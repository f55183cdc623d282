import type {
  ByteStream,
  PackBegun,
  PackSender,
  ProtocolVersion,
} from '../../../application/repositories/ports/object-stores.js';
import { BadRequest } from '../../../domain/shared/domain-error.js';
import { ByteReader } from '../../streams/byte-reader.js';
import { begun } from './begun.js';
import { tellingOfPack } from './begun-packs.js';
import { feedStream, GitFailed, streamOf, type Git } from './git.js';

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

/** How git says that it was asked nonsense; what it says of its own files is another matter. */
const NONSENSE = /^fatal: (?:git upload-pack: )?(?:protocol error|invalid command|unexpected line|unknown capability)/m;

/** Nonsense is the fault of whoever sent it. @throws BadRequest. */
async function* understood(answer: AsyncGenerator<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    yield* answer;
  } catch (error) {
    if (!(error instanceof GitFailed) || !NONSENSE.test(error.ending.errors)) throw error;
    throw new BadRequest('The request is not in the protocol of git.');
  }
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
      return understood(streamOf(child, 'upload-pack', give, { failures: 'told' }));
    } catch (error) {
      give();
      throw error;
    }
  }
}
