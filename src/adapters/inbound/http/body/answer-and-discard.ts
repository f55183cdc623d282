import type { IncomingMessage, ServerResponse } from 'node:http';
import { writeJsonHead } from '../server/answer-json.js';

const DISCARD_MS = 2_000;

/** Ends an answer. What is left of the body is thrown away for a while: whoever still sends when the connection closes would not see it. */
export const endAndDiscard = (request: IncomingMessage, response: ServerResponse, last: Buffer | string): void => {
  if (request.complete) return void response.end(last);
  response.write(last);
  const close = (): void => void response.end();
  const timer = setTimeout(close, DISCARD_MS).unref();
  request.once('end', close);
  request.once('close', () => clearTimeout(timer));
  request.unpipe();
  request.resume();
};

/** Answers in JSON, at once, what is not read to its end. */
export const answerAndDiscard = (
  request: IncomingMessage,
  response: ServerResponse,
  status: number,
  body: unknown,
): void => {
  const text = JSON.stringify(body);
  writeJsonHead(response, status, Buffer.byteLength(text), { Connection: 'close' });
  endAndDiscard(request, response, text);
};

/** Throws away what comes of a body after the answer, for as long; then the connection ends. */
export const discardRest = (request: IncomingMessage): void => {
  if (request.complete) return;
  const timer = setTimeout(() => void request.destroy(), DISCARD_MS).unref();
  request.once('close', () => clearTimeout(timer));
  request.once('end', () => clearTimeout(timer));
  request.unpipe();
  request.resume();
};
