import type { OutgoingHttpHeaders, ServerResponse } from 'node:http';
import { endWithText } from './end-with-text.js';
import { exchangeOf } from './exchange.js';

export const writeJsonHead = (
  response: ServerResponse,
  status: number,
  bytes: number,
  headers: OutgoingHttpHeaders = {},
): void =>
  void response.writeHead(status, {
    'X-Request-Id': exchangeOf(response.req).id,
    ...headers,
    'Content-Type': 'application/json',
    'Content-Length': bytes,
  });

/**
 * Answers with exact JSON (see `send-json.ts`) by Node's own means, whether Express has seen the request or not. As text, which goes out
 * in one piece with its head (`docs/performance.md`).
 */
export const answerJson = (
  response: ServerResponse,
  status: number,
  body: unknown,
  headers?: OutgoingHttpHeaders,
): void => {
  const text = JSON.stringify(body);
  const bytes = Buffer.byteLength(text);
  writeJsonHead(response, status, bytes, headers);
  endWithText(response, text, bytes);
};
