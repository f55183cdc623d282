import { Type } from '@sinclair/typebox';
import type { WorkspaceReader } from '../../../../../application/workspace/ports/workspace-readers.js';
import type { DeployKey } from '../../../../../domain/keys/ssh-key.js';
import type { ProjectId } from '../../../../../domain/shared/identifiers.js';
import type { Project } from '../../../../../domain/workspace/namespace.js';
import { component } from '../../openapi/component.js';
import { parameters } from '../../validation/parameters.js';
import { pagedList } from '../../kit/paged-list.js';
import { route, type Route } from '../../route.js';
import { presentInShort, PROJECT_IN_SHORT } from '../projects/project-in-short.js';
import { withCreators, type DeployKeyRoutesParts } from './deploy-key-routes.js';
import { DeployKeySchema, NEW_KEY, presentDeployKey } from './key-schema.js';

export interface AllDeployKeyRoutesParts extends Omit<DeployKeyRoutesParts, 'access'> {
  readonly reader: WorkspaceReader;
}
type Parts = AllDeployKeyRoutesParts;

const TAG = 'Deploy keys';
/** Projects of one page of keys. */
const MOST_PROJECTS = 500;

const KeyProjectSchema = component('schemas/ProjectOfDeployKey', Type.Object(PROJECT_IN_SHORT));
const WithProjectsSchema = component(
  'schemas/DeployKeyWithProjects',
  Type.Object({
    ...DeployKeySchema.properties,
    projects_with_write_access: Type.Array(KeyProjectSchema),
    projects_with_readonly_access: Type.Array(KeyProjectSchema),
  }),
);

/** Keys with all that is shown of them. */
const withProjects = async ({ users, keyReader, reader, urls }: Parts, keys: readonly DeployKey[]) => {
  const ids = keys.map(({ id }) => id);
  const enabled = await keyReader.projectsOf(ids, MOST_PROJECTS);
  const projectIds = new Set([...enabled.values()].flat().map(({ projectId }) => projectId));
  const projects = new Map<ProjectId, Project>();
  for (const id of projectIds) {
    const project = await reader.findProject(id);
    if (project !== undefined) projects.set(id, project);
  }
  const shown = (id: number, wanted: boolean) =>
    (enabled.get(id) ?? [])
      .filter(({ canPush }) => canPush === wanted)
      .flatMap(({ projectId }) => projects.get(projectId) ?? [])
      .map(presentInShort);
  return (await withCreators(users, keys)).map((key) => ({
    ...presentDeployKey(key, key.creator, urls),
    projects_with_write_access: shown(key.id, true),
    projects_with_readonly_access: shown(key.id, false),
  }));
};

const listAllDeployKeys = (parts: Parts) =>
  pagedList({
    path: '/deploy_keys',
    operationId: 'listAllDeployKeys',
    summary: 'Every deploy key, with its projects',
    tag: TAG,
    access: 'admin',
    parameters: { public: Type.Optional(Type.Boolean({ description: 'Only keys that every project may enable' })) },
    items: WithProjectsSchema,
    read: async ({ parameters: { public: publicOnly = false }, page }) => {
      const keys = await parts.keyReader.listDeployKeys({ publicOnly, page });
      return { ...keys, items: await withProjects(parts, keys.items) };
    },
    present: (shown) => shown,
  });

const addPublicDeployKey = (parts: Parts) =>
  route({
    method: 'post',
    path: '/deploy_keys',
    operationId: 'addPublicDeployKey',
    summary: 'Add a deploy key that every project may enable',
    tag: TAG,
    access: 'admin',
    parameters: parameters(NEW_KEY),
    responses: { 201: WithProjectsSchema },
    handle: async ({ actor, parameters: { title, key, expires_at } }) => {
      const added = await parts.deployKeys.addPublic(actor, { title, key, expiresAt: expires_at ?? null });
      const [body] = await withProjects(parts, [added]);
      return { status: 201, body };
    },
  });

export const createAllDeployKeyRoutes = (parts: Parts): readonly Route[] => [
  listAllDeployKeys(parts),
  addPublicDeployKey(parts),
];
