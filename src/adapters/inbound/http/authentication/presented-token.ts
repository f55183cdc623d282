import type { IncomingHttpHeaders } from 'node:http';
import type { PresentedToken } from '../../../../application/identity/authenticate.js';
import { HttpError } from '../http-error.js';

/** Where a request may carry a token. */
export interface TokenSource {
  readonly headers: IncomingHttpHeaders;
  /** With every value of a header that was sent several times. */
  readonly headersDistinct?: NodeJS.Dict<string[]>;
  readonly query?: unknown;
  readonly body?: unknown;
}

const BEARER = /^Bearer +(\S+) *$/i;

export const severalTokens = (): HttpError =>
  new HttpError(400, 'invalid_request', { error_description: 'The request carries more than one token.' });

const BASIC = /^Basic +([A-Za-z0-9+/]+={0,2}) *$/i;

/** What Basic says (RFC 7617): its password is empty where it can't be read, which matches nothing. */
export const presentedBasic = ({
  headers: { authorization = '' },
}: TokenSource): { readonly name: string; readonly secret: string } | undefined => {
  if (!/^Basic\b/i.test(authorization)) return undefined;
  const text = Buffer.from(BASIC.exec(authorization)?.[1] ?? '', 'base64').toString('utf8');
  const colon = text.indexOf(':');
  return colon < 1 ? { name: '', secret: '' } : { name: text.slice(0, colon), secret: text.slice(colon + 1) };
};

const NONE: readonly string[] = [];

const fromFields = (fields: unknown, name: string): readonly string[] => {
  const value = (fields as Record<string, unknown> | undefined)?.[name];
  if (value === undefined || value === null || value === '') return NONE;
  if (typeof value === 'string') return [value];
  throw severalTokens();
};

const header = ({ headers }: TokenSource, name: string): readonly string[] => {
  const value = headers[name];
  return typeof value === 'string' && value !== '' ? [value] : NONE;
};

const parameter = ({ query, body }: TokenSource, name: string): readonly string[] => {
  const inQuery = fromFields(query, name);
  const inBody = fromFields(body, name);
  return inQuery.length === 0 ? inBody : [...inQuery, ...inBody];
};

/** The one value among all that were given. @throws HttpError 400 for two that differ. */
const only = (given: readonly string[]): string | undefined => {
  if (given.length > 1 && new Set(given).size > 1) throw severalTokens();
  return given[0];
};

/**
 * The token of a request: `access_token`, `Authorization: Bearer` or `bearer_token`, else `private_token` or `PRIVATE-TOKEN`.
 *
 * @throws HttpError 400 when it carries two that differ, a list, or one both as a header and as `access_token` (RFC 6750 §2: a client
 * uses one method a request).
 */
export const presentedToken = (request: TokenSource): PresentedToken | undefined => {
  const bearer = presentedBearer(request);
  const personal = only([...parameter(request, 'private_token'), ...header(request, 'private-token')]);
  if (bearer !== undefined && personal !== undefined && bearer !== personal) throw severalTokens();
  if (bearer !== undefined) return { secret: bearer, kind: 'bearer' };
  return personal === undefined ? undefined : { secret: personal, kind: 'personal' };
};

/**
 * The bearer token of a request (RFC 6750 §2); a header that can't be read is a token that matches nothing.
 *
 * @throws HttpError 400 when a header and a parameter both carry one, or two differ.
 */
export const presentedBearer = (request: TokenSource): string | undefined => {
  const { authorization } = request.headers;
  const inHeader = BEARER.exec(authorization ?? '')?.[1];
  if ((request.headersDistinct?.['authorization'] ?? []).length > 1) throw severalTokens();
  const accessToken = only(parameter(request, 'access_token'));
  if (inHeader !== undefined && accessToken !== undefined) {
    throw new HttpError(400, 'invalid_request', {
      error_description: 'Both Authorization header and payload includes access token.',
    });
  }
  const given = [accessToken, inHeader, only(parameter(request, 'bearer_token'))].filter((each) => each !== undefined);
  return only(given) ?? (authorization !== undefined && /^Bearer\b/i.test(authorization) ? '' : undefined);
};

/** The parameters that are tokens. */
export const TOKEN_PARAMETERS = ['private_token', 'access_token', 'bearer_token', 'job_token'];

/** The parameters that say who asks. */
const CALLER_PARAMETERS = ['private_token', 'access_token', 'bearer_token', 'sudo'];

export const isGiven = (value: unknown): boolean => value !== undefined && value !== null && value !== '';

export const namesCaller = (fields: Readonly<Record<string, unknown>>): boolean =>
  CALLER_PARAMETERS.some((name) => Object.hasOwn(fields, name));
