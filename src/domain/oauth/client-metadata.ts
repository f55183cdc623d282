import { SCOPES, type Scope } from '../shared/scope.js';
import type { OAuthRefusal } from './oauth-error.js';

/** How a client proves who it is at the token endpoint; `none` for one that can keep no secret. */
const CLIENT_AUTHENTICATIONS = ['client_secret_basic', 'client_secret_post', 'none'] as const;
export type ClientAuthentication = (typeof CLIENT_AUTHENTICATIONS)[number];

/** What a client says of itself (RFC 7591 §2), as far as it is understood. */
export interface ClientMetadata {
  readonly name: string;
  readonly redirectUris: readonly string[];
  readonly scopes: readonly Scope[];
  readonly authentication: ClientAuthentication;
}

type Sent = Readonly<Record<string, unknown>>;

/** What a client may register for: it acts for nobody but who agrees. */
const REGISTERED_SCOPES: readonly Scope[] = SCOPES.filter((scope) => scope !== 'sudo');
/** For those that don't say. */
const ORDINARY_SCOPES: readonly Scope[] = ['read_user', 'openid', 'profile', 'email'];
const WITHOUT_NAME = 'Application without a name';

export const CLIENT_GRANTS = ['authorization_code', 'refresh_token'] as const;

class Refused extends Error {
  constructor(readonly refusal: OAuthRefusal) {
    super(refusal.description);
  }
}

const refuse = (description: string, error: OAuthRefusal['error'] = 'invalid_client_metadata'): never => {
  throw new Refused({ error, description });
};

const textOf = (sent: Sent, name: string): string | undefined => {
  const value = sent[name];
  if (value === undefined || value === null) return undefined;
  return typeof value === 'string' ? value : refuse(`${name} must be a text.`);
};

const textsOf = (sent: Sent, name: string): readonly string[] | undefined => {
  const value = sent[name];
  if (value === undefined || value === null) return undefined;
  if (!Array.isArray(value) || !value.every((each) => typeof each === 'string'))
    return refuse(`${name} must be a list of texts.`);
  return value as string[];
};

const among = (sent: Sent, name: string, known: readonly string[]): void => {
  if (textsOf(sent, name)?.every((each) => known.includes(each)) === false)
    refuse(`${name} can only contain ${known.join(', ')}.`);
};

const redirectUrisOf = (sent: Sent): readonly string[] => {
  const uris = Array.isArray(sent['redirect_uris']) ? (textsOf(sent, 'redirect_uris') ?? []) : [];
  if (uris.length === 0) refuse('redirect_uris must be a list of at least one address.', 'invalid_redirect_uri');
  // They are kept one a line.
  if (uris.some((uri) => /\s/.test(uri))) refuse('redirect_uris must contain no spaces.', 'invalid_redirect_uri');
  return uris;
};

const scopesOf = (sent: Sent): readonly Scope[] => {
  const scopes = [...new Set((textOf(sent, 'scope') ?? '').split(' ').filter((scope) => scope !== ''))];
  if (scopes.length === 0) return ORDINARY_SCOPES;
  const known: readonly string[] = REGISTERED_SCOPES;
  if (!scopes.every((scope) => known.includes(scope))) refuse(`scope can only contain ${known.join(', ')}.`);
  return scopes as Scope[];
};

const authenticationOf = (sent: Sent): ClientAuthentication => {
  const said = textOf(sent, 'token_endpoint_auth_method') ?? 'client_secret_basic';
  const known = CLIENT_AUTHENTICATIONS.find((each) => each === said);
  return known ?? refuse(`token_endpoint_auth_method must be one of ${CLIENT_AUTHENTICATIONS.join(', ')}.`);
};

/** Reads what a client says of itself; what it says beside that isn't looked at (RFC 7591 §2). */
export const readClientMetadata = (sent: Sent): ClientMetadata | OAuthRefusal => {
  try {
    among(sent, 'grant_types', CLIENT_GRANTS);
    among(sent, 'response_types', ['code']);
    return {
      name: textOf(sent, 'client_name') ?? WITHOUT_NAME,
      redirectUris: redirectUrisOf(sent),
      scopes: scopesOf(sent),
      authentication: authenticationOf(sent),
    };
  } catch (error) {
    if (error instanceof Refused) return error.refusal;
    throw error;
  }
};
