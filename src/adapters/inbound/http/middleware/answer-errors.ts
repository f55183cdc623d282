import type { IncomingMessage } from 'node:http';
import type { ErrorRequestHandler } from 'express';
import type { Logger } from '../../../../application/shared/ports/logger.js';
import { answerTooLarge } from '../body-too-large.js';
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

/** The answer for any error: ours in its shape, and a fault of ours as a bare 500 whose cause is in the log alone. */
export const describeError = (error: unknown, request: IncomingMessage, logger: Logger): ErrorResponse => {
  const known = errorResponse(fromTransport(error as TransportError));
  if (known !== undefined) return known;
  logger.error('request failed', { requestId: exchangeOf(request).id, error: (error as Error).stack ?? String(error) });
  return { status: 500, body: { message: '500 Internal Server Error' }, headers: {} };
};

export const answerErrors =
  (logger: Logger): ErrorRequestHandler =>
  (error: TransportError, request, response, next) => {
    if (response.headersSent) return next(error);
    if (error.type === 'entity.too.large') return answerTooLarge(request, response);
    const { status, body, headers } = describeError(error, request, logger);
    response.status(status).set(headers);
    sendJson(response, body);
  };
