import type { DomainErrorKind } from '../../../domain/shared/domain-error.js';

/** The one place where refusals meet HTTP. A kind that is missing here does not compile. */
export const ERROR_STATUS: Readonly<Record<DomainErrorKind, number>> = {
  unauthenticated: 401,
  token_invalid: 401,
  token_scope_insufficient: 403,
  forbidden: 403,
  not_found: 404,
  conflict: 409,
  changed: 412,
  invalid: 400,
  bad_request: 400,
  unprocessable: 422,
  too_large: 413,
  too_many_requests: 429,
  overloaded: 503,
  unavailable: 503,
};
