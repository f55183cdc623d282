import type { IncomingMessage, ServerResponse } from 'node:http';
import { answerAndDiscard } from './answer-and-discard.js';

/** In the shape of what the body parsers of Express throw. */
export class BodyTooLarge extends Error {
  readonly status = 413;
  readonly type = 'entity.too.large';

  constructor() {
    super('The body of the request is too large.');
  }
}

export const declaresMoreThan = ({ headers }: IncomingMessage, limit: number): boolean =>
  Number(headers['content-length'] ?? 0) >= limit;

export const answerTooLarge = (request: IncomingMessage, response: ServerResponse): void =>
  answerAndDiscard(request, response, 413, { message: '413 Request Entity Too Large' });
