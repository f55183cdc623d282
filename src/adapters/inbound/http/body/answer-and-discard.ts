import type { IncomingMessage, ServerResponse } from 'node:http';
import { writeJsonHead } from '../server/answer-json.js';

const DISCARD_MS = 2_000;

/**
 * Answers at once what is not read to its end. The rest of the body is thrown away for a while before the connection closes: whoever
 * still sends when it closes would not see the answer.
 */
export const answerAndDiscard = (
  request: IncomingMessage,
  response: ServerResponse,
  status: number,
  body: unknown,
): void => {
  const text = JSON.stringify(body);
  writeJsonHead(response, status, Buffer.byteLength(text), { Connection: 'close' });
  response.write(text);
  const close = (): void => void response.end();
  const timer = setTimeout(close, DISCARD_MS).unref();
  request.once('end', close);
  request.once('close', () => clearTimeout(timer));
  request.unpipe();
  request.resume();
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
