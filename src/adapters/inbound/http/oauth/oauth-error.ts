import type { OAuthErrorCode, OAuthRefusal } from '../../../../domain/oauth/oauth-error.js';

/** RFC 6749 §5.2: a client that could not be recognised is 401, everything else 400; RFC 7009 and RFC 6750 add two. */
const STATUS: Readonly<Partial<Record<OAuthErrorCode, number>>> = {
  invalid_client: 401,
  invalid_token: 401,
  insufficient_scope: 403,
  temporarily_unavailable: 429,
};

/** A refusal at an endpoint of `/oauth`. */
export class OAuthError extends Error {
  readonly status: number;

  constructor(
    readonly refusal: OAuthRefusal,
    status?: number,
  ) {
    super(refusal.description);
    this.status = status ?? STATUS[refusal.error] ?? 400;
  }
}

const SCHEMES: Readonly<Record<number, string>> = {
  401: 'Bearer realm="Gatehouse"',
};

/** The challenge of a 401 (RFC 6750 §3, RFC 6749 §5.2); other answers carry none, as strict clients read it before the body. */
export const challengeFor = ({ status, refusal: { error, description } }: OAuthError): Record<string, string> => {
  const scheme = error === 'invalid_client' ? 'Basic realm="Gatehouse"' : SCHEMES[status];
  return scheme === undefined
    ? {}
    : { 'WWW-Authenticate': `${scheme}, error="${error}", error_description="${description}"` };
};
