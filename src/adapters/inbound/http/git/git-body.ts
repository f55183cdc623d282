import type { IncomingMessage } from 'node:http';
import { pipeline } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { ByteReader } from '../../../streams/byte-reader.js';
import { GitRefusal } from '../../git/git-refusal.js';

const IDLE_MS = 60_000;

/** The body as it arrives. A sender that stays silent for a minute is cut off. */
async function* arriving(request: IncomingMessage): AsyncGenerator<Uint8Array> {
  const cutOff = () => void request.destroy(new Error('The body stopped arriving.'));
  let timer = setTimeout(cutOff, IDLE_MS);
  try {
    // Who stops reading still has an answer to give: the connection stays.
    const chunks = request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>;
    for await (const chunk of chunks) {
      clearTimeout(timer);
      yield chunk;
      timer = setTimeout(cutOff, IDLE_MS);
    }
  } finally {
    clearTimeout(timer);
  }
}

/** @throws GitRefusal 415 for an encoding that git doesn't use. */
export const readGitBody = (request: IncomingMessage): ByteReader => {
  const encoding = (request.headers['content-encoding'] ?? 'identity').toLowerCase();
  if (encoding === 'identity') return new ByteReader(arriving(request));
  if (encoding !== 'gzip' && encoding !== 'x-gzip')
    throw new GitRefusal(415, `The content encoding '${encoding}' is not supported: send gzip, or none.`);
  return new ByteReader(pipeline(arriving(request), createGunzip(), () => undefined));
};
