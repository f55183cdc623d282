import type { Request } from 'express';
import { HttpError } from '../http-error.js';

const BEARER = /^Bearer +(\S+) *$/i;

const fromFields = (fields: unknown, name: string): string | undefined => {
  const value = (fields as Record<string, unknown> | undefined)?.[name];
  return typeof value === 'string' && value !== '' ? value : undefined;
};

const parameter = (request: Request, name: string): string | undefined =>
  fromFields(request.query, name) ?? fromFields(request.body, name);

/**
 * The token of a request: `access_token`, `Authorization: Bearer`, `bearer_token`, `private_token` or `PRIVATE-TOKEN`.
 *
 * @throws HttpError 400 when a header and a parameter both carry one (RFC 6750 §2: a client uses one method a request).
 */
export const presentedToken = (request: Request): string | undefined => {
  const authorization = request.get('authorization');
  const bearer = authorization === undefined ? undefined : BEARER.exec(authorization)?.[1];
  const accessToken = parameter(request, 'access_token');
  if (bearer !== undefined && accessToken !== undefined) {
    throw new HttpError(400, 'invalid_request', {
      error_description: 'Both Authorization header and payload includes access token.',
    });
  }
  const privateToken = parameter(request, 'private_token') ?? request.get('private-token');
  const presented = [accessToken ?? bearer ?? parameter(request, 'bearer_token'), privateToken].filter(
    (token) => token !== undefined && token !== '',
  );
  if (new Set(presented).size > 1) {
    throw new HttpError(400, 'invalid_request', { error_description: 'The request carries more than one token.' });
  }
  // A Bearer header that can't be read is a credential that matches nothing, not the absence of one.
  if (presented.length === 0 && authorization !== undefined && /^Bearer\b/i.test(authorization)) return '';
  return presented[0];
};
