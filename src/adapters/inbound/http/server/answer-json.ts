import type { OutgoingHttpHeaders, ServerResponse } from 'node:http';
import { exchangeOf } from './exchange.js';

export const writeJsonHead = (
  response: ServerResponse,
  status: number,
  text: string,
  headers: OutgoingHttpHeaders = {},
): void =>
  void response.writeHead(status, {
    'X-Request-Id': exchangeOf(response.req).id,
    ...headers,
    'Content-Type': 'application/json',
    'Content-Length': Buffer.byteLength(text),
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
  writeJsonHead(response, status, text, headers);
  response.end(text);
};
