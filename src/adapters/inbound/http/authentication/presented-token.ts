import type { IncomingHttpHeaders } from 'node:http';
import type { PresentedToken } from '../../../../application/identity/authenticate.js';
import { HttpError } from '../http-error.js';

/** Where a request may carry a token. */
export interface TokenSource {
  readonly headers: IncomingHttpHeaders;
  readonly query?: unknown;
  readonly body?: unknown;
}

const BEARER = /^Bearer +(\S+) *$/i;

const fromFields = (fields: unknown, name: string): string | undefined => {
  const value = (fields as Record<string, unknown> | undefined)?.[name];
  return typeof value === 'string' && value !== '' ? value : undefined;
};

const header = ({ headers }: TokenSource, name: string): string | undefined => {
  const value = headers[name];
  return typeof value === 'string' ? value : undefined;
};

const parameter = (request: TokenSource, name: string): string | undefined =>
  fromFields(request.query, name) ?? fromFields(request.body, name);

const severalTokens = (): HttpError =>
  new HttpError(400, 'invalid_request', { error_description: 'The request carries more than one token.' });

/**
 * The token of a request: `access_token`, `Authorization: Bearer` or `bearer_token`, else `private_token` or `PRIVATE-TOKEN`.
 *
 * @throws HttpError 400 when a header and a parameter both carry one (RFC 6750 §2: a client uses one method a request).
 */
export const presentedToken = (request: TokenSource): PresentedToken | undefined => {
  const bearer = presentedBearer(request);
  const personal = parameter(request, 'private_token') ?? header(request, 'private-token');
  if (bearer !== undefined && personal !== undefined && personal !== '' && bearer !== personal) {
    throw severalTokens();
  }
  if (bearer !== undefined) return { secret: bearer, kind: 'bearer' };
  return personal === undefined || personal === '' ? undefined : { secret: personal, kind: 'personal' };
};

/**
 * The bearer token of a request (RFC 6750 §2); a header that can't be read is a token that matches nothing.
 *
 * @throws HttpError 400 when a header and a parameter both carry one.
 */
export const presentedBearer = (request: TokenSource): string | undefined => {
  const authorization = request.headers.authorization;
  const inHeader = authorization === undefined ? undefined : BEARER.exec(authorization)?.[1];
  const accessToken = parameter(request, 'access_token');
  if (inHeader !== undefined && accessToken !== undefined) {
    throw new HttpError(400, 'invalid_request', {
      error_description: 'Both Authorization header and payload includes access token.',
    });
  }
  const given = [accessToken, inHeader, parameter(request, 'bearer_token')].filter((token) => token !== undefined);
  if (new Set(given).size > 1) throw severalTokens();
  return given[0] ?? (authorization !== undefined && /^Bearer\b/i.test(authorization) ? '' : undefined);
};
