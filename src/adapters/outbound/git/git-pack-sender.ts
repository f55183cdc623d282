import type { ByteStream, PackSender, ProtocolVersion } from '../../../application/repositories/ports/object-stores.js';
import { feedStream, streamOf, type Git } from './git.js';

const FETCH_MS = 3_600_000;

/** Serves fetches by git's own `upload-pack`, one request at a time. */
export class GitPackSender implements PackSender {
  constructor(private readonly git: Git) {}

  async send(store: string, version: ProtocolVersion, request: ByteStream): Promise<ByteStream> {
    const give = await this.git.parts.heavy.take(store);
    try {
      const fixed = ['upload-pack', '--strict', '--stateless-rpc', this.git.folders.of(store)];
      const child = await this.git.start(store, { fixed }, { protocol: version, deadlineMs: FETCH_MS });
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
