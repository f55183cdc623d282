import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Logger } from '../../../../application/shared/ports/logger.js';
import { Overloaded, TooManyRequests } from '../../../../domain/shared/domain-error.js';
import { ERROR_STATUS } from '../error-status.js';
import { describeError } from '../middleware/answer-errors.js';
import { answerJson } from '../server/answer-json.js';
import { challengeFor, OAuthError } from './oauth-error.js';
import type { OAuthAnswer } from './oauth-endpoint.js';

/** Applications in browsers may call from anywhere, without the credentials of a browser; and nothing is ever cached. */
export const OAUTH_HEADERS = {
  'Access-Control-Allow-Origin': '*',
  'Cache-Control': 'no-store',
  Pragma: 'no-cache',
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
};

export const sendOAuthAnswer = (response: ServerResponse, { status = 200, body, headers }: OAuthAnswer): void =>
  answerJson(response, status, body, { ...OAUTH_HEADERS, ...headers });

/** A refusal in the words of the protocol, and everything else as elsewhere. */
export const refusalAnswer = (error: unknown, request: IncomingMessage, logger: Logger): OAuthAnswer => {
  if (error instanceof OAuthError) {
    const { error: code, description } = error.refusal;
    return {
      status: error.status,
      body: { error: code, error_description: description },
      headers: challengeFor(error),
    };
  }
  if (error instanceof TooManyRequests || error instanceof Overloaded) {
    const body = { error: 'temporarily_unavailable', error_description: error.message };
    return { status: ERROR_STATUS[error.kind], body, headers: { 'Retry-After': String(error.retryAfterSeconds) } };
  }
  const described = describeError(error, request, logger);
  const { status, body } = described;
  // What could not be read at all is an invalid request in the protocol's words, too.
  if (status >= 500 || !('error' in body)) return described;
  return {
    ...described,
    body: { error: 'invalid_request', error_description: body['error_description'] ?? body['error'] },
  };
};
