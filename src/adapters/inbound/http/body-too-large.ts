import type { IncomingMessage, ServerResponse } from 'node:http';

/** In the shape of what the body parsers of Express throw. */
export class BodyTooLarge extends Error {
  readonly status = 413;
  readonly type = 'entity.too.large';

  constructor() {
    super('The body of the request is too large.');
  }
}

const DISCARD_MS = 2_000;
const BODY = Buffer.from(JSON.stringify({ message: '413 Request Entity Too Large' }));

export const declaresMoreThan = ({ headers }: IncomingMessage, limit: number): boolean =>
  Number(headers['content-length'] ?? 0) >= limit;

/**
 * Answers at once. The rest of the body is read and thrown away for a while before the connection closes: whoever still sends when
 * it closes would not see the answer.
 */
export const answerTooLarge = (request: IncomingMessage, response: ServerResponse): void => {
  response.writeHead(413, {
    Connection: 'close',
    'Content-Type': 'application/json',
    'Content-Length': BODY.length,
  });
  response.write(BODY);
  const close = (): void => void response.end();
  const timer = setTimeout(close, DISCARD_MS).unref();
  request.once('end', close);
  request.once('close', () => clearTimeout(timer));
  request.unpipe();
  request.resume();
};
