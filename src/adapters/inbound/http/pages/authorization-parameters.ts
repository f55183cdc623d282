import type { Request } from 'express';
import {
  AUTHORIZATION_PARAMETERS,
  type AuthorizationParameter,
  type AuthorizationParameters,
  type AuthorizationRequest,
} from '../../../../domain/oauth/authorization-request.js';
import { CODE_CHALLENGE_METHOD } from '../../../../domain/oauth/pkce.js';
import { HttpError } from '../http-error.js';
import { given } from '../kit/given.js';
import { isStorable } from '../validation/storable-text.js';
import { MAX_PATH } from './page-session.js';

export const AUTHORIZE_PATH = '/oauth/authorize';

/** Marks a request whose person was sent to sign in, and is back. */
const [BACK_FROM, SIGN_IN] = ['back_from', 'sign_in'];

/** The parameters of a query or a form; one without a value counts as absent (RFC 6749 §3.1). */
export const readParameters = (source: unknown): AuthorizationParameters => {
  const fields = (source ?? {}) as Readonly<Record<string, unknown>>;
  const given: Partial<Record<AuthorizationParameter, string>> = {};
  const malformed: AuthorizationParameter[] = [];
  for (const name of AUTHORIZATION_PARAMETERS) {
    const value = Object.hasOwn(fields, name) ? fields[name] : undefined;
    if (typeof value === 'string' && isStorable(value)) {
      if (value !== '') given[name] = value;
    } else if (value !== undefined) malformed.push(name);
  }
  return { given, malformed };
};

/** Only the first question mark begins the query: others belong to it (RFC 3986 §3.4). */
export const queryOf = ({ originalUrl }: Request): URLSearchParams => {
  const mark = originalUrl.indexOf('?');
  return new URLSearchParams(mark < 0 ? '' : originalUrl.slice(mark + 1));
};

/** What a form gives, as a query; what was given more than once, or not as text, is so there, too. */
export const queryOfForm = (form: unknown): URLSearchParams => {
  const fields = (form ?? {}) as Readonly<Record<string, unknown>>;
  const query = new URLSearchParams();
  for (const name of AUTHORIZATION_PARAMETERS) {
    const value = Object.hasOwn(fields, name) ? fields[name] : undefined;
    if (typeof value === 'string') query.append(name, value);
    else if (Array.isArray(value)) for (const each of value) query.append(`${name}[]`, String(each));
    else if (value !== undefined) query.append(`${name}[]`, '');
  }
  return query;
};

/** A request as its form carries it. */
export const formOf = (asked: AuthorizationRequest): Record<string, string> => ({
  client_id: asked.application.uid,
  redirect_uri: asked.redirectUri,
  response_type: asked.responseType,
  scope: asked.scopes.join(' '),
  ...given({ state: asked.state, nonce: asked.nonce, id_token_hint: asked.idTokenHint }),
  ...(asked.codeChallenge === undefined
    ? {}
    : { code_challenge: asked.codeChallenge, code_challenge_method: CODE_CHALLENGE_METHOD }),
});

/**
 * Where a client's form is asked as a query (OpenID Connect Core §3.1.2.1 has both).
 * @throws HttpError 413 for what would not come back from signing in.
 */
export const addressOfForm = (form: unknown): string => {
  const address = `${AUTHORIZE_PATH}?${queryOfForm(form).toString()}`;
  if (address.length > MAX_PATH) throw new HttpError(413, '413 Request Entity Too Large');
  return address;
};

const backTo = (query: URLSearchParams): string => {
  query.set(BACK_FROM, SIGN_IN);
  const returnTo = `${AUTHORIZE_PATH}?${query.toString()}`;
  return `/users/sign_in?reauthenticate=true&return_to=${encodeURIComponent(returnTo)}`;
};

/** Where to sign in, and to come back from with the very same request. */
export const signInBefore = (query: URLSearchParams): string => backTo(new URLSearchParams(query));

/** Where to sign in, and to come back from without being asked to sign in once more. */
export const signInFor = (query: URLSearchParams): string => {
  const again = new URLSearchParams(query);
  again.delete('max_age');
  const prompts = (again.get('prompt') ?? '').split(' ').filter((prompt) => prompt === 'consent');
  if (prompts.length > 0) again.set('prompt', prompts.join(' '));
  else again.delete('prompt');
  return backTo(again);
};

/** Anybody can say so of a request: nothing but how it is answered depends on it. */
export const isBackFromSignIn = ({ query }: Request): boolean => query[BACK_FROM] === SIGN_IN;
