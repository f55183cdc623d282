import type { Response } from 'express';
import { drained } from '../../streams/drained.js';
import type { ByteSpan } from '../../../domain/shared/byte-span.js';
import { rangedHead, type Head } from './ranged-bytes.js';
import { endWithOthers } from './server/end-with-others.js';

/** A client that takes nothing for so long is cut off. */
const STALLED_MS = 30_000;

/** No page may be made of what people keep here, whatever it says. */
const HARMLESS = "default-src 'none'; sandbox";

const begin = (response: Response, { status, headers }: Head): void => {
  response.status(status);
  response.setHeader('Content-Security-Policy', HARMLESS);
  // Not by Express's `set`, which adds a charset that nobody knows.
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
};

const isWhole = (bytes: Uint8Array, { headers }: Head): boolean => headers['Content-Length'] === String(bytes.length);

/**
 * Sends bytes as they come, and waits where the client is slower. The first ones are read before the answer begins: what goes wrong
 * until then is answered as any error. Later only the connection can end.
 * @param open reads no more than the span where it is given one, which it is as the head says. @throws HttpError 416.
 */
export const sendBytes = async (
  response: Response,
  open: (span?: ByteSpan) => Promise<AsyncIterable<Uint8Array>>,
  whole: Head,
): Promise<void> => {
  const { method, headers: asked } = response.req;
  if (method === 'HEAD') {
    // Parts are of what is sent: nothing is here (RFC 9110 §14.2).
    begin(response, rangedHead({}, whole).head);
    return void response.end();
  }
  const { head, span } = rangedHead(asked, whole);
  const bytes = (await open(span))[Symbol.asyncIterator]();
  try {
    let next = await bytes.next();
    begin(response, head);
    response.setTimeout(STALLED_MS, () => response.destroy());
    if (next.done !== true && isWhole(next.value, head)) {
      // Whoever makes the bytes is told that all were taken.
      await bytes.next();
      return endWithOthers(response, next.value);
    }
    // Not a number where nobody knows it.
    const due = Number(head.headers['Content-Length']);
    let sent = 0;
    for (; next.done !== true; next = await bytes.next()) {
      sent += next.value.length;
      if (sent > due) break;
      if (!response.write(next.value)) await drained(response);
      if (response.destroyed) return;
    }
    // Other bytes than were told of are not what was asked for, and the client would take what comes next on its connection for theirs.
    if (sent < due || sent > due) return void response.destroy();
    response.end();
  } finally {
    await bytes.return?.();
  }
};
