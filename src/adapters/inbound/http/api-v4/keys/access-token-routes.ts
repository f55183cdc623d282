import { Type } from '@sinclair/typebox';
import {
  placeOfTokens,
  type AccessTokenHolder,
  type AccessTokens,
  type CreatedAccessToken,
  type SeenHolder,
} from '../../../../../application/keys/access-tokens.js';
import type { AccessTokenReader } from '../../../../../application/keys/ports/access-token-reader.js';
import type { PersonalAccessTokens } from '../../../../../application/identity/personal-access-tokens.js';
import type { Clock } from '../../../../../application/shared/ports/clock.js';
import type { WorkspaceAccess } from '../../../../../application/workspace/workspace-access.js';
import type { AccessToken } from '../../../../../domain/identity/personal-access-token.js';
import { PERSONAL_ACCESS_TOKEN_SCOPES } from '../../../../../domain/shared/scope.js';
import { given } from '../../kit/given.js';
import { found, GROUP_ID, inGroup, inProject, PROJECT_ID } from '../../kit/guards.js';
import { routesOf } from '../../kit/routes-of.js';
import { component } from '../../openapi/component.js';
import { route, type Guard, type GuardContext, type Route } from '../../route.js';
import { day, integer, listOf, nullable, oneOf, parameters, pathId, text } from '../../validation/parameters.js';
import { presentToken, SHOWN_ONCE, TokenSchema } from '../personal-access-tokens/present-token.js';
import { TOKEN_FILTERS, tokenFiltersIn } from '../personal-access-tokens/token-filters.js';

export interface AccessTokenRoutesParts {
  readonly access: WorkspaceAccess;
  readonly accessTokens: AccessTokens;
  readonly accessTokenReader: AccessTokenReader;
  readonly personalAccessTokens: Pick<PersonalAccessTokens, 'endSuccessorOf'>;
  readonly clock: Clock;
}
type Parts = AccessTokenRoutesParts;

const TAG = 'Access tokens of projects and groups';
const { list, get, post, remove } = routesOf({ tag: TAG });

const AccessTokenSchema = component(
  'schemas/AccessToken',
  Type.Object({
    ...TokenSchema.properties,
    access_level: Type.Integer({ description: 'From 10 (Guest) to 50 (Owner)' }),
  }),
);

const NewAccessTokenSchema = component(
  'schemas/NewAccessToken',
  Type.Object({ ...AccessTokenSchema.properties, ...SHOWN_ONCE }),
);

const LASTING = {
  expires_at: Type.Optional(day('The UTC day on which the new one stops working; a week from now unless given')),
};
const REPLACED = 'One that was replaced already ends the one that came last of it.';

const present = ({ clock }: Parts, token: AccessToken) => ({
  ...presentToken(token, clock.now()),
  access_level: token.accessLevel,
});

const presentNew = (parts: Parts, token: CreatedAccessToken) => ({ ...present(parts, token), token: token.secret });

/** The same routes for projects and for groups. */
interface Collection {
  readonly path: '/projects/:id/access_tokens' | '/groups/:id/access_tokens';
  /** As in `listProjectAccessTokens`. */
  readonly name: 'Project' | 'Group';
  readonly id: typeof PROJECT_ID;
  readonly guard: Guard<AccessTokenHolder>;
  readonly seen: Guard<SeenHolder>;
}

const tokenIn = ({ accessTokenReader }: Parts, { guard }: Collection) =>
  found('Access Token', 'token_id', guard, (holder, id) => accessTokenReader.find(placeOfTokens(holder), id));

const inPath = ({ id }: Collection) => ({ id, token_id: pathId('Id of the token') });

const listAccessTokens = (parts: Parts, { path, name, id, guard }: Collection) =>
  list(path, `list${name}AccessTokens`, {
    summary: `Access tokens of a ${name.toLowerCase()}`,
    access: 'user',
    parameters: { id, ...TOKEN_FILTERS },
    items: AccessTokenSchema,
    guard,
    read: ({ subject, parameters: sent, page }) =>
      parts.accessTokenReader.list({
        ...tokenFiltersIn(sent, parts.clock.now()),
        place: placeOfTokens(subject),
        page,
      }),
    present: (token) => present(parts, token),
  });

const createAccessToken = (parts: Parts, { path, name, id, guard }: Collection) =>
  post(path, `create${name}AccessToken`, {
    summary: `Make an access token of a ${name.toLowerCase()}`,
    description:
      'It acts as a bot, which is a member with that level. Nobody makes one with a level or with scopes above their own; an application makes none.',
    access: 'user',
    parameters: {
      id,
      name: text(1_000, 'What it and its bot are called'),
      description: Type.Optional(nullable(text(10_000, 'What it is for'))),
      scopes: listOf(oneOf(PERSONAL_ACCESS_TOKEN_SCOPES), { maxItems: 20 }),
      access_level: Type.Optional(
        integer({ minimum: 0, maximum: 100, description: '10, 20, 30, 40 or 50; 40 (Maintainer) unless given' }),
      ),
      expires_at: Type.Optional(nullable(day('The UTC day on which it stops working'))),
    },
    answer: NewAccessTokenSchema,
    guard,
    handle: async ({ actor, subject, parameters: { name: called, description, scopes, access_level, expires_at } }) => {
      const fields = { name: called, description: description ?? null, scopes, expiresAt: expires_at ?? null };
      const command = { ...fields, ...given({ accessLevel: access_level }) };
      return presentNew(parts, await parts.accessTokens.create(actor, subject, command));
    },
  });

const getAccessToken = (parts: Parts, collection: Collection) =>
  get(`${collection.path}/:token_id`, `get${collection.name}AccessToken`, {
    summary: 'One access token',
    access: 'user',
    parameters: inPath(collection),
    answer: AccessTokenSchema,
    guard: tokenIn(parts, collection),
    handle: ({ subject }) => present(parts, subject['access Token']),
  });

const revokeAccessToken = (parts: Parts, collection: Collection) =>
  remove(`${collection.path}/:token_id`, `revoke${collection.name}AccessToken`, {
    summary: 'Revoke an access token; it is refused from then on, and its bot is a member no longer',
    access: 'user',
    parameters: inPath(collection),
    guard: tokenIn(parts, collection),
    handle: ({ subject }) => parts.accessTokens.revoke(subject, subject['access Token'].id),
  });

const rotateOwnAccessToken = (parts: Parts, { path, name, id, seen }: Collection) =>
  route({
    ...{ method: 'post', path: `${path}/self/rotate`, operationId: `rotateOwn${name}AccessToken`, tag: TAG },
    summary: 'Replace the access token that asks by a new one; it is refused from then on',
    description: REPLACED,
    access: 'user',
    parameters: parameters({ id, ...LASTING }),
    responses: { 200: NewAccessTokenSchema },
    guard: async (context: GuardContext<'user'>) => {
      const holder = await seen.decide(context);
      await parts.accessTokens.findSelf(context.actor, holder);
      return holder;
    },
    tokenRefused: (secret) => parts.personalAccessTokens.endSuccessorOf(secret),
    handle: async ({ actor, subject, parameters: { expires_at: expiresAt }, request }) => {
      const command = { clientAddress: request.ip ?? null, ...given({ expiresAt }) };
      return { status: 200, body: presentNew(parts, await parts.accessTokens.rotateSelf(actor, subject, command)) };
    },
  });

const rotateAccessToken = (parts: Parts, collection: Collection) =>
  route({
    ...{ method: 'post', path: `${collection.path}/:token_id/rotate`, tag: TAG },
    operationId: `rotate${collection.name}AccessToken`,
    summary: 'Replace an access token by a new one of its name, scopes and level; it is refused from then on',
    description: REPLACED,
    access: 'user',
    parameters: parameters({ ...inPath(collection), ...LASTING }),
    responses: { 200: NewAccessTokenSchema },
    guard: tokenIn(parts, collection),
    handle: async ({ actor, subject, parameters: { expires_at: expiresAt }, request }) => {
      const tokenId = subject['access Token'].id;
      const command = { tokenId, clientAddress: request.ip ?? null, ...given({ expiresAt }) };
      return { status: 200, body: presentNew(parts, await parts.accessTokens.rotate(actor, subject, command)) };
    },
  });

export const createAccessTokenRoutes = (parts: Parts): readonly Route[] => {
  const ofProject: Collection = {
    path: '/projects/:id/access_tokens',
    name: 'Project',
    id: PROJECT_ID,
    guard: inProject(parts.access, 'manage_access_tokens'),
    seen: inProject(parts.access, 'read_project'),
  };
  const ofGroup: Collection = {
    path: '/groups/:id/access_tokens',
    name: 'Group',
    id: GROUP_ID,
    guard: inGroup(parts.access, 'manage_group_access_tokens'),
    seen: inGroup(parts.access, 'read_group'),
  };
  // Before those with an id.
  const routes = [
    rotateOwnAccessToken,
    listAccessTokens,
    createAccessToken,
    getAccessToken,
    revokeAccessToken,
    rotateAccessToken,
  ];
  return [ofProject, ofGroup].flatMap((each) => routes.map((make) => make(parts, each)));
};
