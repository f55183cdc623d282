import {
  ConflictInList,
  DomainError,
  Invalid,
  LimitReached,
  NotFound,
  Forbidden,
  Overloaded,
  Taken,
  TokenScopeInsufficient,
  TooManyRequests,
  Unavailable,
  UnprocessableInList,
} from '../../../domain/shared/domain-error.js';
import { ERROR_STATUS } from './error-status.js';
import { HttpError, RefusedWithHeaders } from './http-error.js';
import { exposing } from './middleware/api-headers.js';

export interface ErrorResponse {
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>>;
  readonly headers: Readonly<Record<string, string>>;
}

const RETRY_AFTER_SECONDS = 5;

/** Whatever git said is for the log alone: it may name folders of the machine. */
const REPOSITORIES_UNAVAILABLE = '503 Service Unavailable - Repositories are out of reach. Try again later.';

/** What is out of reach, or asked for too often by everybody together. */
const unavailable = (error: DomainError): string =>
  error instanceof Unavailable && error.dependency === 'repositories'
    ? REPOSITORIES_UNAVAILABLE
    : '503 Service Unavailable';

const messageOf = (error: DomainError): unknown => {
  if (error instanceof Invalid || error instanceof Taken) return error.problems;
  if (error instanceof ConflictInList || error instanceof UnprocessableInList) return [error.message];
  if (error instanceof NotFound) return `404 ${error.message}`;
  if (error instanceof Forbidden)
    return error.reason === undefined ? '403 Forbidden' : `403 Forbidden - ${error.reason}`;
  if (error instanceof TooManyRequests) return { error: error.message };
  switch (error.kind) {
    case 'unauthenticated':
      return '401 Unauthorized';
    case 'changed':
      return `412 ${error.message}`;
    case 'bad_request':
      return `400 Bad request - ${error.message}`;
    case 'too_large':
      return `413 ${error.message}`;
    case 'unavailable':
    case 'overloaded':
      return unavailable(error);
    default:
      return error.message;
  }
};

// RFC 6750 §3: a token that was recognised but is no longer good is told why.
const tokenInvalid = (error: DomainError): ErrorResponse => ({
  status: 401,
  body: { error: 'invalid_token', error_description: error.message },
  headers: {
    'WWW-Authenticate': `Bearer realm="Protected by OAuth 2.0", error="invalid_token", error_description="${error.message}"`,
  },
});

const scopeInsufficient = (error: TokenScopeInsufficient): ErrorResponse => ({
  status: 403,
  body: { error: 'insufficient_scope', error_description: error.message, scope: error.scopes.join(' ') },
  headers: {},
});

/**
 * By these, clients know how long to wait. They are sent with a refusal alone: one of them takes the limit of the first answer that it
 * gets for what it may ask for, and goes slower from then on.
 */
const limitHeaders = ({ quota: { name, limit, endsAt } }: LimitReached): Readonly<Record<string, string>> => {
  const reset = Math.ceil(endsAt.getTime() / 1_000);
  const headers = {
    'RateLimit-Name': name,
    'RateLimit-Limit': String(limit),
    'RateLimit-Remaining': '0',
    'RateLimit-Reset': String(reset),
    'RateLimit-ResetTime': new Date(reset * 1_000).toUTCString(),
  };
  return { ...headers, ...exposing(Object.keys(headers)) };
};

const headersOf = (error: DomainError): Readonly<Record<string, string>> => {
  if (error instanceof TooManyRequests || error instanceof Overloaded) {
    const more = error instanceof LimitReached ? limitHeaders(error) : {};
    return { 'Retry-After': String(error.retryAfterSeconds), ...more };
  }
  return error.kind === 'unavailable' ? { 'Retry-After': String(RETRY_AFTER_SECONDS) } : {};
};

/** The answer for an error in the shapes of the API; `undefined` when the error is a fault of ours. */
export const errorResponse = (error: unknown): ErrorResponse | undefined => {
  if (error instanceof HttpError) {
    return { status: error.status, body: { error: error.message, ...error.details }, headers: error.headers };
  }
  if (error instanceof RefusedWithHeaders) {
    const { headers } = error;
    const told = errorResponse(error.refusal);
    return told && { ...told, headers: { ...told.headers, ...headers } };
  }
  if (error instanceof TokenScopeInsufficient) return scopeInsufficient(error);
  if (!(error instanceof DomainError)) return undefined;
  if (error.kind === 'token_invalid') return tokenInvalid(error);
  return { status: ERROR_STATUS[error.kind], body: { message: messageOf(error) }, headers: headersOf(error) };
};
