import { Type } from '@sinclair/typebox';
import type { Request } from 'express';
import type { Authenticate } from '../../../../application/identity/authenticate.js';
import {
  MAX_REDIRECT_URI,
  MAX_REDIRECT_URIS,
  type ApplicationDetails,
  type Applications,
  type RegisteredApplication,
} from '../../../../application/oauth/applications.js';
import { MAX_APPLICATION_NAME } from '../../../../domain/oauth/application.js';
import { CLIENT_GRANTS, readClientMetadata, type ClientMetadata } from '../../../../domain/oauth/client-metadata.js';
import { refusal } from '../../../../domain/oauth/oauth-error.js';
import { DomainError, Invalid, Unprocessable } from '../../../../domain/shared/domain-error.js';
import type { UserId } from '../../../../domain/shared/identifiers.js';
import { presentedBearer } from '../authentication/presented-token.js';
import type { LimitPerAddress } from '../middleware/limit-per-address.js';
import { listOf, parameters, text } from '../validation/parameters.js';
import { isStorable } from '../validation/storable-text.js';
import { OAuthError } from './oauth-error.js';
import type { OAuthEndpoint } from './oauth-endpoint.js';

export const REGISTRATION_PATH = '/oauth/register';

export interface RegistrationEndpointParts {
  readonly applications: Applications;
  readonly authenticate: Authenticate;
  readonly limit: LimitPerAddress;
  /** Whether whoever asks needs no token. */
  readonly open: boolean;
}

/** Whose application it will be: of whoever made the personal access token that is sent (RFC 7591 §3). */
const ownerOf = async (authenticate: Authenticate, request: Request): Promise<UserId> => {
  const secret = presentedBearer(request);
  if (secret === undefined)
    throw new OAuthError({
      error: 'invalid_token',
      description: 'A personal access token with the scope api is needed',
    });
  const { id, credential } = await authenticate.byToken({ secret, kind: 'personal' }).catch((error: unknown) => {
    const known = error instanceof DomainError && error.kind !== 'unavailable';
    throw known ? new OAuthError({ error: 'invalid_token', description: 'The token is not good' }) : error;
  });
  if (credential.kind !== 'personal_access_token' || !credential.scopes.includes('api'))
    throw new OAuthError({ error: 'insufficient_scope', description: 'The token lacks the scope api' });
  return id;
};

const metadataIn = ({ body }: Request): ClientMetadata => {
  if (typeof body !== 'object' || body === null || Array.isArray(body))
    throw new OAuthError(refusal('invalid_request', 'The body must be an object in JSON.'));
  const read = readClientMetadata(body as Record<string, unknown>);
  if ('error' in read) throw new OAuthError(read);
  if (![read.name, ...read.redirectUris].every(isStorable))
    throw new OAuthError({ error: 'invalid_client_metadata', description: 'Texts must be well-formed Unicode.' });
  return read;
};

/** The problems of an application in the words of the protocol. */
const inProtocol = (error: unknown): unknown => {
  if (error instanceof Unprocessable)
    return new OAuthError({ error: 'invalid_client_metadata', description: `${error.message}.` });
  if (!(error instanceof Invalid)) return error;
  const [[attribute, messages] = ['', []]] = Object.entries(error.problems);
  return new OAuthError({
    error: attribute === 'redirect_uri' ? 'invalid_redirect_uri' : 'invalid_client_metadata',
    description: `${attribute} ${messages.join(', ').replace(/\.$/, '')}.`,
  });
};

const present = (registered: RegisteredApplication, { authentication }: ClientMetadata) => ({
  client_id: registered.uid,
  client_id_issued_at: Math.floor(registered.createdAt.getTime() / 1_000),
  ...(registered.confidential && { client_secret: registered.secret, client_secret_expires_at: 0 }),
  client_name: registered.name,
  redirect_uris: registered.redirectUris,
  grant_types: CLIENT_GRANTS,
  response_types: ['code'],
  token_endpoint_auth_method: authentication,
  scope: registered.scopes.join(' '),
});

/** RFC 7591: an application registers itself. It says what it likes, and gets what there is. */
export const createRegistrationEndpoint = ({
  applications,
  authenticate,
  limit,
  open,
}: RegistrationEndpointParts): OAuthEndpoint => ({
  method: 'post',
  path: REGISTRATION_PATH,
  operationId: 'postOAuthRegister',
  summary: 'Register an application, as the application itself',
  description: open
    ? 'Without a token.'
    : 'With a personal access token that has the scope `api`: it belongs to whose token that is.',
  security: open ? 'none' : 'bearer',
  parameters: parameters({
    client_name: Type.Optional(text(MAX_APPLICATION_NAME)),
    redirect_uris: listOf(text(MAX_REDIRECT_URI), { maxItems: MAX_REDIRECT_URIS }),
    scope: Type.Optional(text(1_000, 'Separated by spaces; `read_user openid profile email` unless given')),
    token_endpoint_auth_method: Type.Optional(text(50, '`none` for one that can keep no secret')),
    grant_types: Type.Optional(listOf(text(50), { maxItems: 10 })),
    response_types: Type.Optional(listOf(text(50), { maxItems: 10 })),
  }),
  responses: {
    201: Type.Object({
      client_id: Type.String(),
      client_id_issued_at: Type.Integer({ description: 'Unix time' }),
      client_secret: Type.Optional(Type.String({ description: 'Shown this once' })),
      client_secret_expires_at: Type.Optional(Type.Literal(0)),
      client_name: Type.String(),
      redirect_uris: Type.Array(Type.String()),
      grant_types: Type.Array(Type.String()),
      response_types: Type.Array(Type.String()),
      token_endpoint_auth_method: Type.String(),
      scope: Type.String(),
    }),
  },
  handle: async (request) => {
    await limit(request);
    const ownerId = open ? undefined : await ownerOf(authenticate, request);
    const metadata = metadataIn(request);
    const details: ApplicationDetails = {
      name: metadata.name,
      redirectUris: metadata.redirectUris.join('\n'),
      scopes: metadata.scopes.join(' '),
      confidential: metadata.authentication !== 'none',
    };
    const registering =
      ownerId === undefined ? applications.registerItself(details) : applications.register(ownerId, details);
    const registered = await registering.catch((error: unknown) => {
      throw inProtocol(error);
    });
    return { status: 201, body: present(registered, metadata) };
  },
});
