import { Type } from '@sinclair/typebox';
import type { UserReader } from '../../../../../application/identity/ports/identity-readers.js';
import type { DeployKeys } from '../../../../../application/keys/deploy-keys.js';
import type { EnabledKey, KeyReader } from '../../../../../application/keys/ports/key-ports.js';
import type { WorkspaceAccess } from '../../../../../application/workspace/workspace-access.js';
import type { DeployKey } from '../../../../../domain/keys/ssh-key.js';
import { NotFound } from '../../../../../domain/shared/domain-error.js';
import { mapPage } from '../../../../../domain/shared/page.js';
import { given } from '../../kit/given.js';
import { found, inProject, PROJECT_ID } from '../../kit/guards.js';
import { pagedList } from '../../kit/paged-list.js';
import { route, type Route } from '../../route.js';
import { identifierIn } from '../../../../../domain/shared/identifiers.js';
import { parameters, pathId, text } from '../../validation/parameters.js';
import type { WebUrls } from '../../web-urls.js';
import { DeployKeySchema, EnabledKeySchema, NEW_KEY, presentDeployKey, presentEnabledKey } from './key-schema.js';

export interface DeployKeyRoutesParts {
  readonly access: WorkspaceAccess;
  readonly users: UserReader;
  readonly keyReader: KeyReader;
  readonly deployKeys: DeployKeys;
  readonly urls: WebUrls;
}
type Parts = DeployKeyRoutesParts;

const TAG = 'Deploy keys';
const ALL = '/projects/:id/deploy_keys';
const ONE = `${ALL}/:key_id`;
const IN_PATH = { id: PROJECT_ID, key_id: pathId('Numeric id of the key') };
const CAN_PUSH = Type.Optional(Type.Boolean({ description: 'Whether it may push; else it may fetch' }));

const inProjectOf = ({ access }: Pick<Parts, 'access'>) => inProject(access, 'manage_deploy_keys');

/** A key that the project has. */
const keyInProject = (parts: Parts) =>
  found('Deploy Key', 'key_id', inProjectOf(parts), ({ project }, id) => parts.keyReader.findInProject(project.id, id));

type Named<Key> = Key & { readonly creator: string | undefined };

/** With the names of who made them, which stand in their comments. */
export const withCreators = async <Key extends DeployKey>(
  users: UserReader,
  keys: readonly Key[],
): Promise<readonly Named<Key>[]> => {
  const ids = [...new Set(keys.flatMap(({ creatorId }) => creatorId ?? []))];
  const names = new Map(await Promise.all(ids.map(async (id) => [id, (await users.find(id))?.name] as const)));
  return keys.map((key) => ({ ...key, creator: key.creatorId === null ? undefined : names.get(key.creatorId) }));
};

const show = async ({ users, urls }: Parts, key: EnabledKey) => {
  const [named] = await withCreators(users, [key]);
  return presentEnabledKey(key, named?.creator, urls);
};

const listDeployKeys = (parts: Parts) =>
  pagedList({
    path: ALL,
    operationId: 'listDeployKeys',
    summary: 'Deploy keys of a project',
    tag: TAG,
    access: 'user',
    parameters: { id: PROJECT_ID },
    items: EnabledKeySchema,
    guard: inProjectOf(parts),
    read: async ({ subject: { project }, page }) => {
      const keys = await parts.keyReader.listOfProject(project.id, page);
      return { ...mapPage(keys, (key) => key), items: await withCreators(parts.users, keys.items) };
    },
    present: (key) => presentEnabledKey(key, key.creator, parts.urls),
  });

const getDeployKey = (parts: Parts) =>
  route({
    method: 'get',
    path: ONE,
    operationId: 'getDeployKey',
    summary: 'One deploy key of a project',
    tag: TAG,
    access: 'user',
    parameters: parameters(IN_PATH),
    responses: { 200: EnabledKeySchema },
    guard: keyInProject(parts),
    handle: async ({ subject }) => ({ body: await show(parts, subject['deploy Key']) }),
  });

const addDeployKey = (parts: Parts) =>
  route({
    method: 'post',
    path: ALL,
    operationId: 'addDeployKey',
    summary: 'Give a project a deploy key',
    description:
      'A key that the project has stays as it is; one that you manage in another project, or that is public, is enabled here, too.',
    tag: TAG,
    access: 'user',
    parameters: parameters({ id: PROJECT_ID, ...NEW_KEY, can_push: CAN_PUSH }),
    responses: { 201: EnabledKeySchema },
    guard: inProjectOf(parts),
    handle: async ({ actor, subject, parameters: { title, key, expires_at, can_push } }) => {
      const fields = { title, key, expiresAt: expires_at ?? null, canPush: can_push ?? false };
      const { key: added } = await parts.deployKeys.add(actor, subject, fields);
      return { status: 201, body: await show(parts, added) };
    },
  });

const editDeployKey = (parts: Parts) =>
  route({
    method: 'put',
    path: ONE,
    operationId: 'editDeployKey',
    summary: 'Rename a deploy key, or change whether it may push',
    tag: TAG,
    access: 'user',
    parameters: parameters({ ...IN_PATH, title: Type.Optional(text(1_000)), can_push: CAN_PUSH }),
    responses: { 200: EnabledKeySchema },
    guard: keyInProject(parts),
    handle: async ({ actor, subject, parameters: { title, can_push: canPush } }) => {
      const { id } = subject['deploy Key'];
      await parts.deployKeys.edit(actor, subject, subject['deploy Key'], given({ title, canPush }));
      const key = await parts.keyReader.findInProject(subject.project.id, id);
      if (key === undefined) throw new NotFound('Deploy Key');
      return { body: await show(parts, key) };
    },
  });

const removeDeployKey = (parts: Parts) =>
  route({
    method: 'delete',
    path: ONE,
    operationId: 'removeDeployKey',
    summary: 'Take a deploy key from a project; in no project, it is gone',
    tag: TAG,
    access: 'user',
    parameters: parameters(IN_PATH),
    responses: { 204: null },
    guard: keyInProject(parts),
    handle: async ({ subject }) => {
      await parts.deployKeys.remove(subject, subject['deploy Key'].id);
      return { status: 204 };
    },
  });

const enableDeployKey = (parts: Parts) =>
  route({
    method: 'post',
    path: `${ONE}/enable`,
    operationId: 'enableDeployKey',
    summary: 'Give a project a deploy key that is there already',
    description: 'It may fetch; whether it may push is said by a change of it.',
    tag: TAG,
    access: 'user',
    parameters: parameters(IN_PATH),
    responses: { 201: DeployKeySchema },
    guard: inProjectOf(parts),
    handle: async ({ actor, subject, parameters: { key_id } }) => {
      const id = identifierIn(key_id);
      if (id === undefined) throw new NotFound('Deploy Key');
      const [key] = await withCreators(parts.users, [await parts.deployKeys.enable(actor, subject, id)]);
      return { status: 201, body: key && presentDeployKey(key, key.creator, parts.urls) };
    },
  });

export const createDeployKeyRoutes = (parts: Parts): readonly Route[] =>
  [listDeployKeys, getDeployKey, addDeployKey, editDeployKey, removeDeployKey, enableDeployKey].map((make) =>
    make(parts),
  );
