import type { ByteStream, ObjectInfo } from '../../../../../application/repositories/ports/object-stores.js';
import { sendStream } from '../../git/git-answer.js';
import type { PageContext } from '../page-context.js';
import { pictureType } from '../../picture-type.js';
import { isBinary } from './code-text.js';

/** Even what a browser would take for a page runs nothing, loads nothing, and is of no origin. */
const CSP = "default-src 'none'; sandbox";

/** Takes the first piece of a stream to look at, and hands out all of it; `end` is for who wants no more. */
const peek = async (bytes: ByteStream) => {
  const iterator = bytes[Symbol.asyncIterator]();
  const begun = await iterator.next();
  const first = begun.done === true ? new Uint8Array() : begun.value;
  const end = async () => void (await iterator.return?.());
  const all = async function* () {
    try {
      if (first.length > 0) yield first;
      for (let next = await iterator.next(); next.done !== true; next = await iterator.next()) yield next.value;
    } finally {
      await end();
    }
  };
  return { first, all, end };
};

/** The bytes of a file, as text or as bytes to be saved, and never as what the file would like to be; pictures are shown. */
export const sendRaw = async (
  { request, response }: PageContext,
  name: string,
  { id, size }: ObjectInfo,
  open: () => Promise<ByteStream>,
): Promise<void> => {
  const etag = `"${id}"`;
  response.set({ 'Cache-Control': 'private, no-cache', ETag: etag, 'Content-Security-Policy': CSP });
  if (request.get('if-none-match') === etag) return void response.status(304).end();
  const { first, all, end } = await peek(await open());
  const picture = pictureType(first);
  if (picture === undefined && isBinary(first)) response.attachment(name).type('application/octet-stream');
  else response.set('Content-Disposition', 'inline').set('Content-Type', picture ?? 'text/plain; charset=utf-8');
  response.set('Content-Length', String(size));
  if (request.method === 'HEAD') await end();
  else await sendStream(response, all());
  response.end();
};
