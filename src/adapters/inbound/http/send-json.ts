import { hash } from 'node:crypto';
import type { Response } from 'express';
import { endWithOthers } from './server/end-with-others.js';
import { endWithText } from './server/end-with-text.js';

/** As Express makes it of bytes: clients hold those that they have had for long. */
export const etagOf = (text: string, length: number): string =>
  `W/"${length.toString(16)}-${hash('sha1', text, 'base64').slice(0, 27)}"`;

/** Whether the client has it already. Express reads the conditions, where there are any. */
export const isKnown = ({ req: request }: Response): boolean =>
  (request.headers['if-none-match'] !== undefined || request.headers['if-modified-since'] !== undefined) &&
  request.fresh;

/**
 * Sends JSON as `application/json`, exactly: some clients compare the header as a whole, so it carries no charset
 * (RFC 8259 §11 defines none), which Express would add. As text, which leaves in one piece with its head (`docs/performance.md`).
 */
export const sendJsonText = (response: Response, text: string): void => {
  const length = Buffer.byteLength(text);
  if (!response.hasHeader('ETag')) response.setHeader('ETag', etagOf(text, length));
  if (isKnown(response)) return endWithOthers(response.status(304), '');
  response.setHeader('Content-Type', 'application/json');
  response.setHeader('Content-Length', length);
  // A HEAD is answered without its body by Node itself.
  endWithText(response, text, length);
};

export const sendJson = (response: Response, body: unknown): void => sendJsonText(response, JSON.stringify(body));
