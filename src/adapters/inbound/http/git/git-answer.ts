import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http';
import type { Logger } from '../../../../application/shared/ports/logger.js';
import { DomainError, Overloaded } from '../../../../domain/shared/domain-error.js';
import { drained } from '../../../streams/drained.js';
import { Malformed } from '../../git/pkt-line.js';
import { endAndDiscard } from '../body/answer-and-discard.js';
import { errorResponse } from '../error-response.js';
import { exchangeOf } from '../server/exchange.js';
import { causeOf } from '../../git/cause-of.js';
import { GitRefusal } from '../../git/git-refusal.js';

const IDLE_MS = 60_000;
const RETRY_AFTER = { 'Retry-After': '5' };

export const begin = (
  request: IncomingMessage,
  response: ServerResponse,
  status: number,
  headers: OutgoingHttpHeaders,
): void =>
  void response.writeHead(status, {
    'X-Request-Id': exchangeOf(request).id,
    'X-Content-Type-Options': 'nosniff',
    'Cache-Control': 'no-cache',
    // What wasn't read of a body can't be the beginning of the next request.
    ...(request.complete ? {} : { Connection: 'close' }),
    ...headers,
  });

/** Writes bytes as they come, and waits where the client is slower; one that takes nothing for a minute is cut off. */
export const sendStream = async (response: ServerResponse, bytes: AsyncIterable<Uint8Array>): Promise<void> => {
  for await (const chunk of bytes) {
    if (response.destroyed) return;
    if (response.write(chunk)) continue;
    const cutOff = setTimeout(() => response.destroy(), IDLE_MS);
    await drained(response);
    clearTimeout(cutOff);
  }
};

const refusalOf = (error: unknown, logger: Logger, requestId: string): GitRefusal => {
  if (error instanceof GitRefusal) return error;
  if (error instanceof Malformed) return new GitRefusal(400, error.message);
  if (error instanceof Overloaded)
    return new GitRefusal(503, error.message, { 'Retry-After': String(error.retryAfterSeconds) });
  if (error instanceof DomainError) {
    const { status = 500, headers = {} } = errorResponse(error) ?? {};
    if (status === 503) logger.warn('git request failed', { requestId, error: causeOf(error) });
    return new GitRefusal(status, status === 503 ? `${error.message} Try again later.` : error.message, {
      ...(status === 503 ? RETRY_AFTER : {}),
      ...headers,
    });
  }
  logger.error('git request failed', { requestId, error: causeOf(error) });
  return new GitRefusal(500, 'Something went wrong here. The log of the service says more.');
};

/** Tells a client why it gets nothing; where it has got something already, the answer ends there. */
export const sendRefusal = (
  request: IncomingMessage,
  response: ServerResponse,
  error: unknown,
  logger: Logger,
): void => {
  // Somebody who has left hears nothing, and it is no fault of ours.
  if (response.destroyed || (request.destroyed && !request.complete)) return void response.destroy();
  const { status, message, headers } = refusalOf(error, logger, exchangeOf(request).id);
  if (response.headersSent) return void response.destroy();
  const text = Buffer.from(`${message}\n`);
  begin(request, response, status, {
    'Content-Type': 'text/plain; charset=utf-8',
    ...headers,
    'Content-Length': text.length,
  });
  endAndDiscard(request, response, request.method === 'HEAD' ? Buffer.alloc(0) : text);
};
