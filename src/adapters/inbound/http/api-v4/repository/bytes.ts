import { Type } from '@sinclair/typebox';
import type {
  ByteStream,
  ObjectInfo,
  ObjectReader,
} from '../../../../../application/repositories/ports/object-stores.js';
import { held } from '../../../../../domain/repositories/held-objects.js';

/** An answer of bytes in place of JSON. */
export const bytesOf = (mediaType: string) => Type.String({ contentMediaType: mediaType });

/** What is read in one piece, by a process that lives; larger ones are streamed by one of their own. */
const SMALL = 256 * 1024;

export const readBlob = async (objects: ObjectReader, store: string, { id, size }: ObjectInfo): Promise<ByteStream> =>
  size > SMALL ? objects.stream(store, id) : inOnePiece(held(await objects.read(store, id), id).content);

export async function* inOnePiece(content: Uint8Array | undefined): AsyncGenerator<Uint8Array> {
  yield await Promise.resolve(content ?? new Uint8Array());
}

/** The JSON of an object whose last property is `content`, bytes in base64: as it comes, however large it is. */
export async function* withContent(fields: object, bytes: ByteStream): AsyncGenerator<Uint8Array> {
  yield Buffer.from(`${JSON.stringify(fields).slice(0, -1)},"content":"`);
  let rest = Buffer.alloc(0);
  for await (const chunk of bytes) {
    const all = Buffer.concat([rest, chunk]);
    // Three bytes are four characters.
    const whole = all.length - (all.length % 3);
    yield Buffer.from(all.toString('base64', 0, whole));
    rest = all.subarray(whole);
  }
  yield Buffer.from(`${rest.toString('base64')}"}`);
}

const UNFIT = /[^\u0020-\u007e]|["\\]/g;

/** A header that says what a file is called (RFC 6266). */
export const disposition = (kind: 'inline' | 'attachment', name: string): string => {
  const plain = name.replace(UNFIT, '_');
  const encoded = encodeURIComponent(name).replace(/['()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16)}`);
  return `${kind}; filename="${plain}"${plain === name ? '' : `; filename*=UTF-8''${encoded}`}`;
};

/** Text that no browser takes for a page. */
export const PLAIN = { 'Content-Type': 'text/plain' } as const;
