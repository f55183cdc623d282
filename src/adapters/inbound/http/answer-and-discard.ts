import type { IncomingMessage, ServerResponse } from 'node:http';

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
  const bytes = Buffer.from(JSON.stringify(body));
  response.writeHead(status, {
    Connection: 'close',
    'Content-Type': 'application/json',
    'Content-Length': bytes.length,
  });
  response.write(bytes);
  const close = (): void => void response.end();
  const timer = setTimeout(close, DISCARD_MS).unref();
  request.once('end', close);
  request.once('close', () => clearTimeout(timer));
  request.unpipe();
  request.resume();
};
