import type { Request } from 'express';
import type { PresentedToken } from '../../../../application/identity/authenticate.js';
import { HttpError } from '../http-error.js';

const BEARER = /^Bearer +(\S+) *$/i;

const fromFields = (fields: unknown, name: string): string | undefined => {
  const value = (fields as Record<string, unknown> | undefined)?.[name];
  return typeof value === 'string' && value !== '' ? value : undefined;
};

const parameter = (request: Request, name: string): string | undefined =>
  fromFields(request.query, name) ?? fromFields(request.body, name);

const severalTokens = (): HttpError =>
  new HttpError(400, 'invalid_request', { error_description: 'The request carries more than one token.' });

/**
 * The token of a request: `access_token`, `Authorization: Bearer` or `bearer_token`, else `private_token` or `PRIVATE-TOKEN`.
 *
 * @throws HttpError 400 when a header and a parameter both carry one (RFC 6750 §2: a client uses one method a request).
 */
export const presentedToken = (request: Request): PresentedToken | undefined => {
  const bearer = presentedBearer(request);
  const personal = parameter(request, 'private_token') ?? request.get('private-token');
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
export const presentedBearer = (request: Request): string | undefined => {
  const authorization = request.get('authorization');
  const header = authorization === undefined ? undefined : BEARER.exec(authorization)?.[1];
  const accessToken = parameter(request, 'access_token');
  if (header !== undefined && accessToken !== undefined) {
    throw new HttpError(400, 'invalid_request', {
      error_description: 'Both Authorization header and payload includes access token.',
    });
  }
  const given = [accessToken, header, parameter(request, 'bearer_token')].filter((token) => token !== undefined);
  if (new Set(given).size > 1) throw severalTokens();
  return given[0] ?? (authorization !== undefined && /^Bearer\b/i.test(authorization) ? '' : undefined);
};
