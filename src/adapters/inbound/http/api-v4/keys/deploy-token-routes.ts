import { Type } from '@sinclair/typebox';
import { placeOf, type DeployTokens, type TokenHolder } from '../../../../../application/keys/deploy-tokens.js';
import type { DeployTokenReader } from '../../../../../application/keys/ports/deploy-token-ports.js';
import type { Clock } from '../../../../../application/shared/ports/clock.js';
import type { WorkspaceAccess } from '../../../../../application/workspace/workspace-access.js';
import { DEPLOY_TOKEN_SCOPES, type DeployToken } from '../../../../../domain/keys/deploy-token.js';
import { isExpired } from '../../../../../domain/keys/ssh-key.js';
import { given } from '../../kit/given.js';
import { found, GROUP_ID, inGroup, inProject, PROJECT_ID } from '../../kit/guards.js';
import { pagedList } from '../../kit/paged-list.js';
import { component } from '../../openapi/component.js';
import { route, type Guard, type Route } from '../../route.js';
import { EXPIRES_AT } from './key-schema.js';
import { listOf, nullable, oneOf, parameters, pathId, text } from '../../validation/parameters.js';

export interface DeployTokenRoutesParts {
  readonly access: WorkspaceAccess;
  readonly deployTokens: DeployTokens;
  readonly deployTokenReader: DeployTokenReader;
  readonly clock: Clock;
}
type Parts = DeployTokenRoutesParts;

const TAG = 'Deploy tokens';
const ACTIVE = Type.Optional(Type.Boolean({ description: 'Only tokens that have not expired, or that have' }));

const DeployTokenSchema = component(
  'schemas/DeployToken',
  Type.Object({
    id: Type.Integer(),
    name: Type.String(),
    username: Type.String(),
    expires_at: nullable(Type.String({ format: 'date-time' })),
    scopes: Type.Array(Type.String()),
    revoked: Type.Boolean(),
    expired: Type.Boolean(),
  }),
);

const NewDeployTokenSchema = component(
  'schemas/NewDeployToken',
  Type.Object({
    ...DeployTokenSchema.properties,
    token: Type.String({ description: 'Shown this once' }),
  }),
);

const present = ({ clock }: Pick<Parts, 'clock'>, token: DeployToken) => ({
  id: token.id,
  name: token.name,
  username: token.username,
  expires_at: token.expiresAt?.toISOString() ?? null,
  scopes: [...token.scopes],
  // One that is revoked is gone.
  revoked: false,
  expired: isExpired(token, clock.now()),
});

const listAllDeployTokens = (parts: Parts) =>
  pagedList({
    path: '/deploy_tokens',
    operationId: 'listAllDeployTokens',
    summary: 'Every deploy token',
    tag: TAG,
    access: 'admin',
    parameters: { active: ACTIVE },
    items: DeployTokenSchema,
    read: ({ parameters: { active }, page }) =>
      parts.deployTokenReader.list({ now: parts.clock.now(), page, ...given({ active }) }),
    present: (token) => present(parts, token),
  });

/** The same four routes for projects and for groups. */
interface Collection {
  readonly path: '/projects/:id/deploy_tokens' | '/groups/:id/deploy_tokens';
  /** As in `listProjectDeployTokens`. */
  readonly name: 'Project' | 'Group';
  readonly id: typeof PROJECT_ID;
  readonly guard: Guard<TokenHolder>;
}

const listDeployTokens = (parts: Parts, { path, name, id, guard }: Collection) =>
  pagedList({
    path,
    operationId: `list${name}DeployTokens`,
    summary: `Deploy tokens of a ${name.toLowerCase()}`,
    tag: TAG,
    access: 'user',
    parameters: { id, active: ACTIVE },
    items: DeployTokenSchema,
    guard,
    read: ({ subject, parameters: { active }, page }) =>
      parts.deployTokenReader.list({ place: placeOf(subject), now: parts.clock.now(), page, ...given({ active }) }),
    present: (token) => present(parts, token),
  });

const tokenIn = ({ deployTokenReader }: Parts, { guard }: Collection) =>
  found('Deploy Token', 'token_id', guard, (holder, id) => deployTokenReader.find(placeOf(holder), id));

const getDeployToken = (parts: Parts, collection: Collection) =>
  route({
    method: 'get',
    path: `${collection.path}/:token_id`,
    operationId: `get${collection.name}DeployToken`,
    summary: 'One deploy token',
    tag: TAG,
    access: 'user',
    parameters: parameters({ id: collection.id, token_id: pathId('Numeric id of the token') }),
    responses: { 200: DeployTokenSchema },
    guard: tokenIn(parts, collection),
    handle: ({ subject }) => Promise.resolve({ body: present(parts, subject['deploy Token']) }),
  });

const createDeployToken = (parts: Parts, { path, name, id, guard }: Collection) =>
  route({
    method: 'post',
    path,
    operationId: `create${name}DeployToken`,
    summary: 'Make a deploy token',
    description:
      'With `read_repository` it fetches code over HTTP, by its username and itself as the password. With `read_package_registry` it downloads packages, with `write_package_registry` it sends them, too. Scopes of registries of containers are taken, and open nothing.',
    tag: TAG,
    access: 'user',
    parameters: parameters({
      id,
      name: text(1_000, 'What it is for'),
      username: Type.Optional(nullable(text(255, '`gitlab+deploy-token-` and its id when absent'))),
      scopes: listOf(oneOf(DEPLOY_TOKEN_SCOPES), { maxItems: 20 }),
      expires_at: EXPIRES_AT,
    }),
    responses: { 201: NewDeployTokenSchema },
    guard,
    handle: async ({ subject, parameters: { name: called, username, scopes, expires_at } }) => {
      const fields = { name: called, username: username ?? null, scopes, expiresAt: expires_at ?? null };
      const token = await parts.deployTokens.create(subject, fields);
      return { status: 201, body: { ...present(parts, token), token: token.secret } };
    },
  });

const removeDeployToken = (parts: Parts, collection: Collection) =>
  route({
    method: 'delete',
    path: `${collection.path}/:token_id`,
    operationId: `remove${collection.name}DeployToken`,
    summary: 'Revoke a deploy token; it is refused from then on',
    tag: TAG,
    access: 'user',
    parameters: parameters({ id: collection.id, token_id: pathId('Numeric id of the token') }),
    responses: { 204: null },
    guard: tokenIn(parts, collection),
    handle: async ({ subject }) => {
      await parts.deployTokens.remove(subject, subject['deploy Token'].id);
      return { status: 204 };
    },
  });

export const createDeployTokenRoutes = (parts: Parts): readonly Route[] => {
  const ofProject: Collection = {
    path: '/projects/:id/deploy_tokens',
    name: 'Project',
    id: PROJECT_ID,
    guard: inProject(parts.access, 'manage_deploy_tokens'),
  };
  const ofGroup: Collection = {
    path: '/groups/:id/deploy_tokens',
    name: 'Group',
    id: GROUP_ID,
    guard: inGroup(parts.access, 'manage_group_deploy_tokens'),
  };
  const routes = [listDeployTokens, getDeployToken, createDeployToken, removeDeployToken];
  return [
    listAllDeployTokens(parts),
    ...[ofProject, ofGroup].flatMap((each) => routes.map((make) => make(parts, each))),
  ];
};
