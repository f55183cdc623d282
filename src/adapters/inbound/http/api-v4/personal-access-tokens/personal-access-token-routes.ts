import { identifierIn, type UserId } from '../../../../../domain/shared/identifiers.js';
import { Type } from '@sinclair/typebox';
import type { UserActor } from '../../../../../application/shared/actor.js';
import type { PersonalAccessTokens } from '../../../../../application/identity/personal-access-tokens.js';
import type {
  PersonalAccessTokenReader,
  UserReader,
} from '../../../../../application/identity/ports/identity-readers.js';
import type { Clock } from '../../../../../application/shared/ports/clock.js';
import type { PersonalAccessToken } from '../../../../../domain/identity/personal-access-token.js';
import { PERSONAL_ACCESS_TOKEN_SCOPES } from '../../../../../domain/shared/scope.js';
import { NotFound } from '../../../../../domain/shared/domain-error.js';
import { given } from '../../kit/given.js';
import { identifiedBy } from '../../kit/guards.js';
import { orNotFound } from '../../kit/or-not-found.js';
import { routesOf } from '../../kit/routes-of.js';
import { component } from '../../openapi/component.js';
import { route, type GuardContext, type Route, type RouteContext, type RouteResult } from '../../route.js';
import { day, identifier, listOf, nullable, oneOf, parameters, pathId, text } from '../../validation/parameters.js';
import { findUser } from '../users/find-user.js';
import { presentToken, SHOWN_ONCE, TokenSchema } from './present-token.js';
import { TOKEN_FILTERS, tokenFiltersIn } from './token-filters.js';

export interface PersonalAccessTokenRoutesParts {
  readonly users: UserReader;
  readonly reader: PersonalAccessTokenReader;
  readonly personalAccessTokens: PersonalAccessTokens;
  readonly clock: Clock;
}

type Parts = PersonalAccessTokenRoutesParts;

const ALL = '/personal_access_tokens';
const ONE = `${ALL}/:token_id`;
const SELF = `${ALL}/self`;
const IN_PATH = { token_id: pathId('Id of the token') };

const TAG = 'Personal access tokens';
const { list, get, post, remove } = routesOf({ tag: TAG });

const NewTokenSchema = component(
  'schemas/NewPersonalAccessToken',
  Type.Object({ ...TokenSchema.properties, ...SHOWN_ONCE }),
);

/** One's own tokens; administrators find everybody's. */
const find = async ({ reader }: Parts, actor: UserActor, id: number | undefined): Promise<PersonalAccessToken> => {
  const token = await reader.find(orNotFound(id));
  if (token === undefined || (token.userId !== actor.id && !actor.admin)) throw new NotFound();
  return token;
};

const findToken =
  (parts: Parts) =>
  ({ actor, path }: GuardContext<'user'>): Promise<PersonalAccessToken> =>
    find(parts, actor, identifierIn(path['token_id']));

/** The one that asks. */
const findSelf =
  (parts: Parts) =>
  ({ actor }: GuardContext<'user'>): Promise<PersonalAccessToken> =>
    find(parts, actor, actor.credential.kind === 'personal_access_token' ? actor.credential.id : undefined);

/** Whose tokens are listed: to others than administrators everybody else is nobody. */
const findOwner = async (context: GuardContext<'user'>): Promise<UserId | undefined> => {
  const { actor } = context;
  const named = identifiedBy<UserId>(context, 'user_id');
  if (actor.admin) return named;
  if (named !== undefined && named !== actor.id) throw new NotFound('User');
  return actor.id;
};

export const createPersonalAccessToken = ({ users, personalAccessTokens, clock }: Parts) =>
  post('/users/:user_id/personal_access_tokens', 'createPersonalAccessToken', {
    summary: 'Make a token for a user',
    description: 'A token never makes one that can do more than itself.',
    access: 'admin',
    sensitive: 'make tokens',
    parameters: {
      user_id: pathId('Numeric id of the user'),
      name: text(1_000),
      description: Type.Optional(nullable(text(10_000, 'What it is for'))),
      scopes: listOf(oneOf(PERSONAL_ACCESS_TOKEN_SCOPES), { maxItems: 20 }),
      expires_at: Type.Optional(nullable(day('The UTC day on which it stops working'))),
    },
    answer: NewTokenSchema,
    guard: ({ path }) => findUser(users, path['user_id']),
    handle: async ({ actor, subject, parameters: { name, description, scopes, expires_at }, request }) => {
      const fields = { name, description: description ?? null, scopes, expiresAt: expires_at ?? null };
      const command = { userId: subject.id, ...fields };
      const created = await personalAccessTokens.create(actor, command, request.ip ?? null);
      return { ...presentToken(created, clock.now()), token: created.secret };
    },
  });

export const listPersonalAccessTokens = ({ reader, clock }: Parts) =>
  list(ALL, 'listPersonalAccessTokens', {
    summary: 'Your tokens; everybody’s for administrators',
    access: 'user',
    parameters: { user_id: Type.Optional(identifier<UserId>('Only the tokens of this user')), ...TOKEN_FILTERS },
    items: TokenSchema,
    guard: findOwner,
    read: ({ subject: userId, parameters: sent, page }) =>
      reader.list({ ...tokenFiltersIn(sent, clock.now()), page, ...given({ userId }) }),
    present: (token) => presentToken(token, clock.now()),
  });

export const getOwnPersonalAccessToken = (parts: Parts) =>
  get(SELF, 'getOwnPersonalAccessToken', {
    summary: 'The token that asks',
    description: 'Whatever its scopes.',
    access: 'user',
    scopes: 'any',
    parameters: {},
    answer: TokenSchema,
    guard: findSelf(parts),
    handle: ({ subject }) => presentToken(subject, parts.clock.now()),
  });

export const revokeOwnPersonalAccessToken = (parts: Parts) =>
  remove(SELF, 'revokeOwnPersonalAccessToken', {
    summary: 'Revoke the token that asks; it is refused from then on',
    description: 'Whatever its scopes: whoever finds a token can end it.',
    access: 'user',
    scopes: 'any',
    parameters: {},
    guard: findSelf(parts),
    handle: ({ actor, subject }) => parts.personalAccessTokens.revoke(actor, subject.id),
  });

export const getPersonalAccessToken = (parts: Parts) =>
  get(ONE, 'getPersonalAccessToken', {
    summary: 'One token',
    access: 'user',
    parameters: IN_PATH,
    answer: TokenSchema,
    guard: findToken(parts),
    handle: ({ subject }) => presentToken(subject, parts.clock.now()),
  });

export const revokePersonalAccessToken = (parts: Parts) =>
  remove(ONE, 'revokePersonalAccessToken', {
    summary: 'Revoke a token; it is refused from then on',
    access: 'user',
    parameters: IN_PATH,
    guard: findToken(parts),
    handle: ({ actor, subject }) => parts.personalAccessTokens.revoke(actor, subject.id),
  });

const ROTATION = {
  access: 'user' as const,
  sensitive: 'make tokens',
  responses: { 200: NewTokenSchema },
};
const LASTING = {
  expires_at: Type.Optional(day('The UTC day on which the new one stops working; a week from now unless given')),
};
const ROTATION_PARAMETERS = parameters(LASTING);

const rotateFound =
  ({ personalAccessTokens, clock }: Parts) =>
  async (context: RouteContext<typeof ROTATION_PARAMETERS, PersonalAccessToken, 'user'>): Promise<RouteResult> => {
    const { actor, subject, parameters: sent, request } = context;
    const command = { tokenId: subject.id, clientAddress: request.ip ?? null };
    const rotated = await personalAccessTokens.rotate(actor, {
      ...command,
      ...given({ expiresAt: sent.expires_at }),
    });
    return { status: 200, body: { ...presentToken(rotated, clock.now()), token: rotated.secret } };
  };

export const rotateOwnPersonalAccessToken = (parts: Parts) =>
  route({
    ...ROTATION,
    ...{ method: 'post', path: `${SELF}/rotate`, operationId: 'rotateOwnPersonalAccessToken', tag: TAG },
    summary: 'Replace the token that asks by a new one; it is refused from then on',
    description: 'One that was replaced already ends the one that came last of it.',
    parameters: ROTATION_PARAMETERS,
    guard: findSelf(parts),
    tokenRefused: (secret) => parts.personalAccessTokens.endSuccessorOf(secret),
    handle: rotateFound(parts),
  });

export const rotatePersonalAccessToken = (parts: Parts) =>
  route({
    ...ROTATION,
    ...{ method: 'post', path: `${ONE}/rotate`, operationId: 'rotatePersonalAccessToken', tag: TAG },
    summary: 'Replace a token by a new one of its name and scopes; it is refused from then on',
    description: 'One that was replaced already ends the one that came last of it.',
    parameters: parameters({ ...IN_PATH, ...LASTING }),
    guard: findToken(parts),
    handle: rotateFound(parts),
  });

export const createPersonalAccessTokenRoutes = (parts: Parts): readonly Route[] =>
  [
    createPersonalAccessToken,
    listPersonalAccessTokens,
    // Before those with an id.
    getOwnPersonalAccessToken,
    revokeOwnPersonalAccessToken,
    rotateOwnPersonalAccessToken,
    getPersonalAccessToken,
    revokePersonalAccessToken,
    rotatePersonalAccessToken,
  ].map((make) => make(parts));
