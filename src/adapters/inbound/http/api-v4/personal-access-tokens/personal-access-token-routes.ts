import type { UserId } from '../../../../../domain/shared/identifiers.js';
import { Type } from '@sinclair/typebox';
import type { PersonalAccessTokens } from '../../../../../application/identity/personal-access-tokens.js';
import type {
  PersonalAccessTokenReader,
  UserReader,
} from '../../../../../application/identity/ports/identity-readers.js';
import type { Clock } from '../../../../../application/shared/ports/clock.js';
import type { UserActor } from '../../../../../application/shared/actor.js';
import { tokenState, type PersonalAccessToken } from '../../../../../domain/identity/personal-access-token.js';
import { isScope, PERSONAL_ACCESS_TOKEN_SCOPES } from '../../../../../domain/shared/scope.js';
import { NotFound } from '../../../../../domain/shared/domain-error.js';
import { readPageRequest } from '../../pagination/page-headers.js';
import { refuseSession } from '../../authentication/refuse-session.js';
import { route, type Route } from '../../route.js';
import {
  day,
  identifier,
  listOf,
  nullable,
  oneOf,
  pagedParameters,
  parameters,
  pathId,
  text,
} from '../../validation/parameters.js';
import { findUser } from '../users/find-user.js';

export interface PersonalAccessTokenRoutesParts {
  readonly users: UserReader;
  readonly reader: PersonalAccessTokenReader;
  readonly personalAccessTokens: PersonalAccessTokens;
  readonly clock: Clock;
}

const TAG = 'Personal access tokens';

const TokenSchema = Type.Object({
  id: Type.Integer(),
  name: Type.String(),
  revoked: Type.Boolean(),
  created_at: Type.String({ format: 'date-time' }),
  scopes: Type.Array(Type.String()),
  user_id: Type.Integer(),
  last_used_at: nullable(Type.String({ format: 'date-time' })),
  active: Type.Boolean(),
  expires_at: nullable(Type.String({ format: 'date' })),
});

const NewTokenSchema = Type.Object({
  ...TokenSchema.properties,
  token: Type.String({ description: 'Shown this once' }),
});

export const createPersonalAccessTokenRoutes = (parts: PersonalAccessTokenRoutesParts): readonly Route[] => {
  const { users, reader, personalAccessTokens, clock } = parts;

  const present = (token: PersonalAccessToken) => ({
    id: token.id,
    name: token.name,
    revoked: token.revokedAt !== null,
    created_at: token.createdAt.toISOString(),
    scopes: [...token.scopes],
    user_id: token.userId,
    last_used_at: token.lastUsedAt?.toISOString() ?? null,
    active: tokenState(token, clock.now()) === 'active',
    expires_at: token.expiresAt,
  });

  /** One's own token, `self` for the one that asks; administrators find everybody's. */
  const findToken = async (actor: UserActor, id: string | undefined): Promise<PersonalAccessToken> => {
    const own = actor.credential.kind === 'personal_access_token' ? String(actor.credential.id) : undefined;
    const tokenId = id === 'self' ? own : id;
    const token = tokenId !== undefined && /^\d{1,15}$/.test(tokenId) ? await reader.find(Number(tokenId)) : undefined;
    if (token === undefined || (token.userId !== actor.id && !actor.admin)) throw new NotFound();
    return token;
  };

  const createToken = route({
    method: 'post',
    path: '/users/:user_id/personal_access_tokens',
    operationId: 'createPersonalAccessToken',
    summary: 'Make a token for a user',
    description: 'A token never makes one that can do more than itself.',
    tag: TAG,
    access: 'admin',
    parameters: parameters({
      user_id: pathId('Numeric id of the user'),
      name: text(1_000),
      scopes: listOf(oneOf(PERSONAL_ACCESS_TOKEN_SCOPES), { maxItems: 20 }),
      expires_at: Type.Optional(nullable(day('The UTC day on which it stops working'))),
    }),
    responses: { 201: NewTokenSchema },
    guard: ({ path }) => findUser(users, path['user_id']),
    handle: async ({ actor, subject, parameters: { name, scopes, expires_at }, request }) => {
      refuseSession(actor, 'make tokens');
      const command = { userId: subject.id, name, scopes: scopes.filter(isScope), expiresAt: expires_at ?? null };
      const created = await personalAccessTokens.create(actor, command, request.ip ?? null);
      return { status: 201, body: { ...present(created), token: created.secret } };
    },
  });

  const listTokens = route({
    method: 'get',
    path: '/personal_access_tokens',
    operationId: 'listPersonalAccessTokens',
    summary: 'Your tokens; everybody’s for administrators',
    tag: TAG,
    access: 'user',
    parameters: pagedParameters({ user_id: Type.Optional(identifier<UserId>('Only the tokens of this user')) }),
    responses: { 200: Type.Array(TokenSchema) },
    handle: async ({ actor, parameters: { user_id, ...paging } }) => {
      const request = readPageRequest(paging);
      const userId = actor.admin ? user_id : actor.id;
      if (!actor.admin && user_id !== undefined && user_id !== actor.id) throw new NotFound('User');
      const page = await reader.list({ page: request, ...(userId === undefined ? {} : { userId }) });
      return { body: page.items.map(present), page: { request, of: page } };
    },
  });

  const getToken = route({
    method: 'get',
    path: '/personal_access_tokens/:token_id',
    operationId: 'getPersonalAccessToken',
    summary: 'One token; `self` is the one that asks',
    tag: TAG,
    access: 'user',
    parameters: parameters({ token_id: pathId('Id of the token, or self') }),
    responses: { 200: TokenSchema },
    guard: ({ actor, path }) => findToken(actor, path['token_id']),
    handle: ({ subject }) => Promise.resolve({ body: present(subject) }),
  });

  const revokeToken = route({
    method: 'delete',
    path: '/personal_access_tokens/:token_id',
    operationId: 'revokePersonalAccessToken',
    summary: 'Revoke a token; it is refused from then on',
    tag: TAG,
    access: 'user',
    parameters: parameters({ token_id: pathId('Id of the token, or self') }),
    responses: { 204: null },
    guard: ({ actor, path }) => findToken(actor, path['token_id']),
    handle: async ({ actor, subject }) => {
      await personalAccessTokens.revoke(actor, subject.id);
      return { status: 204 };
    },
  });

  return [createToken, listTokens, getToken, revokeToken];
};
