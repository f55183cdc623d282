import type { Scope } from '../shared/scope.js';
import type { Application } from './application.js';
import { missingParameter, refusal, type OAuthErrorCode, type OAuthRefusal } from './oauth-error.js';
import { CODE_CHALLENGE_METHOD, isCodeChallenge } from './pkce.js';
import { isRegistered, redirectUriProblem } from './redirect-uri.js';
import { isAmong, readScopes } from './requested-scopes.js';

export const AUTHORIZATION_PARAMETERS = [
  'client_id',
  'redirect_uri',
  'response_type',
  'response_mode',
  'scope',
  'state',
  'code_challenge',
  'code_challenge_method',
  'nonce',
  'prompt',
  'max_age',
  'id_token_hint',
  'request',
  'request_uri',
] as const;
export type AuthorizationParameter = (typeof AUTHORIZATION_PARAMETERS)[number];

/** What came in the query: text by name, and the names that came twice or as something else than text. */
export interface AuthorizationParameters {
  readonly given: Readonly<Partial<Record<AuthorizationParameter, string>>>;
  readonly malformed: readonly AuthorizationParameter[];
}

export type ResponseType = 'code' | 'token';
export type Prompt = 'none' | 'login' | 'consent' | 'select_account';

/** A request that a person may be asked about. */
export interface AuthorizationRequest {
  readonly application: Application;
  readonly redirectUri: string;
  readonly responseType: ResponseType;
  readonly scopes: readonly Scope[];
  readonly state: string | undefined;
  readonly codeChallenge: string | undefined;
  readonly nonce: string | undefined;
  readonly prompts: readonly Prompt[];
  /** Seconds since the person proved who they are, at most. */
  readonly maxAge: number | undefined;
  /** An ID token that says who is meant. */
  readonly idTokenHint: string | undefined;
}

/** Where an answer goes once the client and its redirect URI are known to be good. */
export type ReturnAddress = Pick<AuthorizationRequest, 'application' | 'redirectUri' | 'responseType' | 'state'>;

/** The client is told by redirect (RFC 6749 §4.1.2.1). */
interface RefusedAuthorization {
  readonly outcome: 'refused';
  readonly to: ReturnAddress;
  readonly refusal: OAuthRefusal;
  /** Whether nobody may be asked to sign in before. */
  readonly silent: boolean;
}

export type AuthorizationDecision =
  /** Nobody may be sent anywhere: a page says so. */
  | { readonly outcome: 'untrusted'; readonly status: 400 | 401; readonly refusal: OAuthRefusal }
  | RefusedAuthorization
  | { readonly outcome: 'accepted'; readonly request: AuthorizationRequest };

export interface AuthorizationRules {
  /** Plain http is for loopback hosts alone. */
  readonly requireHttps: boolean;
  readonly implicitEnabled: boolean;
}

interface Asked {
  readonly parameters: AuthorizationParameters;
  readonly application: Application;
  readonly rules: AuthorizationRules;
}

type Check = (asked: Asked) => OAuthRefusal | undefined;

const PROMPTS: readonly string[] = ['none', 'login', 'consent', 'select_account'] satisfies Prompt[];
const MAX_NONCE = 1_000;
/** An ID token has some 1,000 characters; a long name or nonce makes it longer. */
export const MAX_ID_TOKEN_HINT = 4_000;

/** RFC 6749 §3.1: "Request and response parameters MUST NOT be included more than once." */
const wellFormed: Check = ({ parameters: { malformed } }) =>
  malformed.length === 0
    ? undefined
    : refusal('invalid_request', `Given more than once, or not as text: ${malformed.join(', ')}.`);

/** OpenID Connect Core §3.1.2.6: what a client has signed, to be held against the rest, must not be passed over. */
const noRequestObject: Check = ({ parameters: { given } }) => {
  if (given.request !== undefined) return refusal('request_not_supported');
  return given.request_uri === undefined ? undefined : refusal('request_uri_not_supported');
};

/** RFC 6749 §3.1.1. */
const responseTypePresent: Check = ({ parameters: { given } }) =>
  given.response_type === undefined ? missingParameter('response_type') : undefined;

const responseTypeOffered: Check = ({ parameters: { given }, rules }) => {
  const offered = given.response_type === 'code' || (given.response_type === 'token' && rules.implicitEnabled);
  return offered ? undefined : refusal('unsupported_response_type');
};

/** What came by itself was told that it gets codes and nothing else (RFC 7591 §3.2.1). */
const responseTypeRegistered: Check = ({ parameters: { given }, application }) =>
  application.selfRegistered && given.response_type !== 'code' ? refusal('unauthorized_client') : undefined;

/** A code travels in the query, a token in the fragment, and nothing else is offered. */
const responseModeFits: Check = ({ parameters: { given } }) => {
  const fitting = given.response_type === 'token' ? 'fragment' : 'query';
  return given.response_mode === undefined || given.response_mode === fitting
    ? undefined
    : refusal('invalid_request', `The response mode must be ${fitting}.`);
};

/** RFC 6749 §3.3: what is asked for is what the application was registered for. */
const scopesAllowed: Check = ({ parameters: { given }, application }) => {
  const scopes = readScopes(given.scope ?? '');
  return scopes !== undefined && isAmong(scopes, application.scopes) ? undefined : refusal('invalid_scope');
};

/** RFC 7636 §4.3: without a method it would be `plain`, which is not taken. */
const challengeSound: Check = ({ parameters: { given } }) => {
  const { code_challenge: challenge, code_challenge_method: method } = given;
  if (challenge === undefined && method === undefined) return undefined;
  if (method !== CODE_CHALLENGE_METHOD) return refusal('invalid_request', 'The code challenge method must be S256.');
  return challenge !== undefined && isCodeChallenge(challenge)
    ? undefined
    : refusal('invalid_request', 'The code challenge must be the base64url of a SHA-256, without padding.');
};

/** RFC 9700 §2.1.1: "Public clients MUST use PKCE". */
const publicClientProves: Check = ({ parameters: { given }, application }) =>
  application.confidential || given.response_type !== 'code' || given.code_challenge !== undefined
    ? undefined
    : refusal('invalid_request', 'Missing required parameter: code_challenge. Public applications must use PKCE.');

const promptsIn = ({ prompt = '' }: AuthorizationParameters['given']): readonly string[] =>
  prompt.split(' ').filter((each) => each !== '');

/** OpenID Connect Core §3.1.2.1. */
const promptSound: Check = ({ parameters: { given } }) => {
  const prompts = promptsIn(given);
  const known = prompts.every((prompt) => PROMPTS.includes(prompt));
  return known && (prompts.length <= 1 || !prompts.includes('none'))
    ? undefined
    : refusal('invalid_request', 'The prompt must be any of login, consent and select_account, or none alone.');
};

const maxAgeSound: Check = ({ parameters: { given } }) =>
  given.max_age === undefined || /^\d{1,9}$/.test(given.max_age)
    ? undefined
    : refusal('invalid_request', 'The parameter max_age must be a whole number of seconds.');

const nonceSound: Check = ({ parameters: { given } }) =>
  (given.nonce?.length ?? 0) <= MAX_NONCE
    ? undefined
    : refusal('invalid_request', `The nonce is too long (maximum is ${MAX_NONCE} characters).`);

const hintSound: Check = ({ parameters: { given } }) =>
  (given.id_token_hint?.length ?? 0) <= MAX_ID_TOKEN_HINT
    ? undefined
    : refusal('invalid_request', `The id_token_hint is too long (maximum is ${MAX_ID_TOKEN_HINT} characters).`);

const REQUEST_CHECKS: readonly Check[] = [
  wellFormed,
  noRequestObject,
  responseTypePresent,
  responseTypeOffered,
  responseTypeRegistered,
  responseModeFits,
  scopesAllowed,
  challengeSound,
  publicClientProves,
  promptSound,
  maxAgeSound,
  nonceSound,
  hintSound,
];

const untrusted = (error: OAuthErrorCode, description: string, status: 400 | 401 = 400): AuthorizationDecision => ({
  outcome: 'untrusted',
  status,
  refusal: { error, description },
});

/** RFC 6749 §4.1.2.1: with a client or a redirect URI that is not good, nobody is sent anywhere. */
const distrust = (
  { given, malformed }: AuthorizationParameters,
  application: Application | undefined,
  { requireHttps }: AuthorizationRules,
): AuthorizationDecision | undefined => {
  const repeated = (['client_id', 'redirect_uri'] as const).find((name) => malformed.includes(name));
  if (repeated !== undefined) return untrusted('invalid_request', `Given more than once, or not as text: ${repeated}.`);
  if (given.client_id === undefined) return untrusted('invalid_request', 'Missing required parameter: client_id.');
  if (application === undefined) return untrusted('invalid_client', 'No application has this client_id.', 401);
  if (given.redirect_uri === undefined)
    return untrusted('invalid_request', 'Missing required parameter: redirect_uri.');
  const { confidential, redirectUris } = application;
  const good =
    isRegistered(redirectUris, given.redirect_uri) &&
    redirectUriProblem(given.redirect_uri, { requireHttps, confidential }) === undefined;
  return good ? undefined : untrusted('invalid_request', 'The redirect URI included is not valid.');
};

/**
 * Whether a person may be asked, and if not who is told why. The first check that fails decides.
 *
 * @param application the one of the `client_id`, if there is one.
 */
export const decideAuthorization = (
  parameters: AuthorizationParameters,
  application: Application | undefined,
  rules: AuthorizationRules,
): AuthorizationDecision => {
  const distrusted = distrust(parameters, application, rules);
  if (distrusted !== undefined || application === undefined) {
    return distrusted ?? untrusted('invalid_client', 'No application has this client_id.', 401);
  }
  const { given } = parameters;
  const responseType = given.response_type === 'token' ? 'token' : 'code';
  const to = { application, redirectUri: given.redirect_uri ?? '', responseType, state: given.state } as const;
  const silent = promptsIn(given).join(' ') === 'none';
  for (const check of REQUEST_CHECKS) {
    const refused = check({ parameters, application, rules });
    if (refused !== undefined) return { outcome: 'refused', to, refusal: refused, silent };
  }
  return {
    outcome: 'accepted',
    request: {
      ...to,
      scopes: readScopes(given.scope ?? '') ?? [],
      codeChallenge: given.code_challenge,
      nonce: given.nonce,
      prompts: promptsIn(given).filter((prompt): prompt is Prompt => PROMPTS.includes(prompt)),
      maxAge: given.max_age === undefined ? undefined : Number(given.max_age),
      idTokenHint: given.id_token_hint,
    },
  };
};
