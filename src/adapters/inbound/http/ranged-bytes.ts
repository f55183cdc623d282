import type { IncomingHttpHeaders } from 'node:http';
import { spanIn, type ByteSpan } from '../../../domain/shared/byte-span.js';
import { HttpError } from './http-error.js';

/** How an answer of bytes begins. */
export interface Head {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** Whether a part of them is sent alone, where that is asked for: their headers say how many they are. */
  readonly ranged?: boolean;
}

const ACCEPTED = { 'Accept-Ranges': 'bytes' };

/** Whether the client has a part of these very bytes; a time says less than that, and a weak tag, too (RFC 9110 §13.1.5). */
const isOfSame = (condition: string | undefined, { headers }: Head): boolean =>
  condition === undefined || (condition.startsWith('"') && condition === headers['ETag']);

/**
 * How an answer begins to who asks for a part of it, and which part that is; undefined for all of it.
 * @throws HttpError 416 for a part that isn't there.
 */
export const rangedHead = (
  asked: IncomingHttpHeaders,
  head: Head,
): { readonly head: Head; readonly span: ByteSpan | undefined } => {
  if (head.ranged !== true) return { head, span: undefined };
  const accepting = { ...head, headers: { ...head.headers, ...ACCEPTED } };
  const ifRange = asked['if-range'];
  const isOfOthers = !isOfSame(typeof ifRange === 'string' ? ifRange : undefined, head);
  if (asked.range === undefined || isOfOthers) return { head: accepting, span: undefined };
  const size = Number(head.headers['Content-Length']);
  const span = spanIn(asked.range, size);
  if (span === undefined) return { head: accepting, span };
  if (span === 'unsatisfiable')
    throw new HttpError(416, '416 Range Not Satisfiable', {}, { ...ACCEPTED, 'Content-Range': `bytes */${size}` });
  const length = String(span.last - span.first + 1);
  const range = { 'Content-Range': `bytes ${span.first}-${span.last}/${size}`, 'Content-Length': length };
  return { head: { status: 206, headers: { ...accepting.headers, ...range } }, span };
};
