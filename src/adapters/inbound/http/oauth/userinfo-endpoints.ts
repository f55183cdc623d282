import { Type } from '@sinclair/typebox';
import type { Request } from 'express';
import { profileOf, type Authenticate } from '../../../../application/identity/authenticate.js';
import type { UserProfile, UserReader } from '../../../../application/identity/ports/identity-readers.js';
import type { UserActor } from '../../../../application/shared/actor.js';
import { personClaims } from '../../../../domain/oauth/person-claims.js';
import { DomainError } from '../../../../domain/shared/domain-error.js';
import { presentedBearer } from '../authentication/presented-token.js';
import { parameters } from '../validation/parameters.js';
import type { WebUrls } from '../web-urls.js';
import { OAuthError } from './oauth-error.js';
import { component } from '../openapi/component.js';
import type { OAuthEndpoint } from './oauth-endpoint.js';

export interface UserinfoEndpointParts {
  readonly authenticate: Authenticate;
  readonly users: UserReader;
  readonly urls: WebUrls;
}

const invalidToken = (description: string): OAuthError => new OAuthError({ error: 'invalid_token', description });

const holderOf = async (authenticate: Authenticate, request: Request): Promise<UserActor> => {
  const secret = presentedBearer(request);
  if (secret === undefined) throw invalidToken('The access token is missing');
  try {
    return await authenticate.byToken({ secret, kind: 'bearer' });
  } catch (error) {
    const known = error instanceof DomainError && error.kind !== 'unavailable';
    throw known ? invalidToken(error.kind === 'token_invalid' ? error.message : 'The access token is invalid') : error;
  }
};

const scopesOf = ({ credential }: UserActor): readonly string[] =>
  credential.kind === 'oauth' ? credential.scopes : [];

const present = (user: UserProfile, scopes: readonly string[], urls: WebUrls) => ({
  sub: String(user.id),
  ...personClaims(user, scopes),
  profile: urls.user(user.username),
});

const UserinfoSchema = component(
  'schemas/Userinfo',
  Type.Object({
    sub: Type.String({ description: 'The id of the user' }),
    name: Type.String(),
    nickname: Type.String(),
    preferred_username: Type.String(),
    profile: Type.String(),
    email: Type.Optional(Type.String()),
    email_verified: Type.Optional(Type.Boolean()),
  }),
);

/** OpenID Connect Core §5.3: by GET and by POST. */
export const createUserinfoEndpoints = ({
  authenticate,
  users,
  urls,
}: UserinfoEndpointParts): readonly OAuthEndpoint[] =>
  (['get', 'post'] as const).map((method) => ({
    method,
    path: '/oauth/userinfo',
    operationId: `${method}OAuthUserinfo`,
    summary: 'Who signed in',
    description: 'For tokens with the scope openid.',
    security: 'bearer',
    parameters: parameters({}),
    responses: {
      200: UserinfoSchema,
    },
    handle: async (request) => {
      const holder = await holderOf(authenticate, request);
      const scopes = scopesOf(holder);
      if (!scopes.includes('openid')) {
        throw new OAuthError({ error: 'insufficient_scope', description: 'The token lacks the scope openid' });
      }
      const user = profileOf(holder) ?? (await users.find(holder.id));
      if (user === undefined) throw invalidToken('The access token is invalid');
      return { body: present(user, scopes, urls) };
    },
  }));
