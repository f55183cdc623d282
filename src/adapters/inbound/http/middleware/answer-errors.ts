import type { IncomingMessage } from 'node:http';
import { isNativeError } from 'node:util/types';
import type { ErrorRequestHandler } from 'express';
import type { Logger } from '../../../../application/shared/ports/logger.js';
import { Unavailable } from '../../../../domain/shared/domain-error.js';
import { answerAndDiscard } from '../body/answer-and-discard.js';
import { answerTooLarge, declaresMoreThan } from '../body/body-too-large.js';
import { hasBody, SMALL_BODY } from '../body/read-body.js';
import { errorResponse, type ErrorResponse } from '../error-response.js';
import { HttpError } from '../http-error.js';
import { sendJson } from '../send-json.js';
import { exchangeOf } from '../server/exchange.js';

/** Errors of the body parsers and the router carry a status and a `type`. */
interface TransportError extends Error {
  readonly status?: number;
  readonly type?: string;
}

const TRANSPORT_MESSAGES: Readonly<Record<string, string>> = {
  'entity.parse.failed': 'message body does not match declared format',
  'encoding.unsupported': 'The provided content-encoding is not supported.',
  'charset.unsupported': 'The provided charset is not supported.',
  'parameters.too.many': 'too many parameters',
};

const fromTransport = (error: TransportError): unknown => {
  if (error instanceof HttpError || error.status === undefined || error.status < 400 || error.status >= 500)
    return error;
  return new HttpError(error.status, TRANSPORT_MESSAGES[error.type ?? ''] ?? 'The request could not be read.');
};

/**
 * The answer for any error: ours in its shape, and a fault of ours as a bare 500. The log alone has its cause, and that of a dependency
 * which is out of reach.
 */
export const describeError = (error: unknown, request: IncomingMessage, logger: Logger): ErrorResponse => {
  const known = errorResponse(fromTransport(error as TransportError));
  const requestId = exchangeOf(request).id;
  if (error instanceof Unavailable) {
    const { message } = isNativeError(error.cause) ? error.cause : error;
    logger.warn('request refused', { requestId, error: message });
  }
  if (known !== undefined) return known;
  logger.error('request failed', { requestId, error: (error as Error).stack ?? String(error) });
  return { status: 500, body: { message: '500 Internal Server Error' }, headers: {} };
};

/** A refusal that comes before the body was read, and more of it may follow than a keep-alive connection is worth. */
const isLeftUnread = (request: IncomingMessage): boolean =>
  !request.complete &&
  hasBody(request) &&
  (request.headers['content-length'] === undefined || declaresMoreThan(request, SMALL_BODY.bytes));

export const answerErrors =
  (logger: Logger): ErrorRequestHandler =>
  (error: TransportError, request, response, _next) => {
    // Of an answer that has begun only the connection can end, so that nobody takes it for whole.
    if (response.headersSent) {
      logger.error('request failed', { requestId: exchangeOf(request).id, error: error.stack ?? String(error) });
      response.destroy();
      return;
    }
    if (error.type === 'entity.too.large') return answerTooLarge(request, response);
    const { status, body, headers } = describeError(error, request, logger);
    response.status(status).set(headers);
    if (isLeftUnread(request)) answerAndDiscard(request, response, status, body);
    else sendJson(response, body);
  };
