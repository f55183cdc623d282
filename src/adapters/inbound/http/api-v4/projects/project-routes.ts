import { type NamespaceId, type UserId, identifierIn } from '../../../../../domain/shared/identifiers.js';
import { Type, type Static } from '@sinclair/typebox';
import type { UserReader } from '../../../../../application/identity/ports/identity-readers.js';
import type { Actor } from '../../../../../application/shared/actor.js';
import type { ProjectQuery, WorkspaceReader } from '../../../../../application/workspace/ports/workspace-readers.js';
import type { CreateProjectCommand, Projects } from '../../../../../application/workspace/projects.js';
import type { WorkspaceAccess } from '../../../../../application/workspace/workspace-access.js';
import { ACCESS_LEVEL } from '../../../../../domain/shared/access-level.js';
import type { Project } from '../../../../../domain/workspace/namespace.js';
import { VISIBILITIES } from '../../../../../domain/shared/visibility.js';
import { NotFound } from '../../../../../domain/shared/domain-error.js';
import type { ProjectId } from '../../../../../domain/shared/identifiers.js';
import { HttpError } from '../../http-error.js';
import { identifiedBy, namedBy } from '../../kit/guards.js';
import { readPageRequest } from '../../pagination/page-headers.js';
import { route, type Route } from '../../route.js';
import { AcceptedSchema, ACCEPTED } from '../../accepted.js';
import {
  identifier,
  integer,
  nullable,
  oneOf,
  pagedParameters,
  parameters,
  pathId,
  requiredText,
  text,
} from '../../validation/parameters.js';
import type { WebUrls } from '../../web-urls.js';
import { findUser } from '../users/user-routes.js';
import { presentBasicProject, presentPermissions, presentProject } from './present-project.js';
import { BasicProjectSchema, ProjectSchema } from './project-schema.js';

export interface ProjectRoutesParts {
  readonly access: WorkspaceAccess;
  readonly reader: WorkspaceReader;
  readonly projects: Projects;
  readonly users: UserReader;
  /** Those of these projects that have code. */
  readonly withCode: (ids: readonly ProjectId[]) => Promise<ReadonlySet<ProjectId>>;
  readonly urls: WebUrls;
}

const TAG = 'Projects';
const PROJECT_ID = pathId('Number, or URL-encoded path of the project');

const LIST_FILTERS = {
  search: Type.Optional(text(255, 'Part of the name, path or description')),
  owned: Type.Optional(Type.Boolean({ description: 'Only those you own' })),
  membership: Type.Optional(Type.Boolean({ description: 'Only those you are a member of' })),
  visibility: Type.Optional(oneOf(VISIBILITIES)),
  archived: Type.Optional(Type.Boolean()),
  min_access_level: Type.Optional(integer({ minimum: 0, maximum: 50 })),
  simple: Type.Boolean({ default: false, description: 'Fewer fields' }),
  id_after: Type.Optional(identifier()),
  id_before: Type.Optional(identifier()),
  order_by: oneOf(['id', 'name', 'path', 'created_at', 'updated_at', 'last_activity_at'], { default: 'created_at' }),
  sort: oneOf(['asc', 'desc'], { default: 'desc' }),
};
const ListParameters = pagedParameters(LIST_FILTERS);
type ListFilters = Static<typeof ListParameters>;

const EDITABLE = {
  name: Type.Optional(text(1_000)),
  path: Type.Optional(text(1_000)),
  description: Type.Optional(nullable(text(10_000))),
  visibility: Type.Optional(oneOf(VISIBILITIES)),
  default_branch: Type.Optional(nullable(text(1_000))),
  merge_when_pipeline_succeeds: Type.Optional(Type.Boolean()),
};
type Editable = Static<ReturnType<typeof parameters<typeof EDITABLE>>>;

/** What was given, in the words of the application; what was not given stays out. */
const readChanges = ({
  name,
  path,
  description,
  visibility,
  default_branch,
  merge_when_pipeline_succeeds,
}: Editable) => ({
  ...(name === undefined ? {} : { name }),
  ...(path === undefined ? {} : { path }),
  ...(description === undefined ? {} : { description }),
  ...(visibility === undefined ? {} : { visibility }),
  ...(default_branch === undefined ? {} : { defaultBranch: default_branch }),
  ...(merge_when_pipeline_succeeds === undefined ? {} : { mergeWhenPipelineSucceeds: merge_when_pipeline_succeeds }),
});

const readCreation = (given: Editable, creatorId: UserId): CreateProjectCommand => {
  if (given.name === undefined && given.path === undefined) {
    throw new HttpError(400, 'name, path are missing, at least one parameter must be provided');
  }
  return {
    description: null,
    visibility: 'private',
    defaultBranch: null,
    mergeWhenPipelineSucceeds: false,
    ...readChanges(given),
    creatorId,
  };
};

const levelAsked = ({ owned, membership, min_access_level }: ListFilters): number | undefined => {
  const levels = [
    owned === true ? ACCESS_LEVEL.owner : 0,
    membership === true ? ACCESS_LEVEL.guest : 0,
    min_access_level ?? 0,
  ];
  const highest = Math.max(...levels);
  return highest === 0 ? undefined : highest;
};

export const createProjectRoutes = (parts: ProjectRoutesParts): readonly Route[] => {
  const { access, reader, projects, users, withCode, urls } = parts;

  const present = async (project: Project, filled = withCode([project.id])) => {
    const { namespace, id } = project;
    const owner = namespace.kind === 'user' ? await users.findByUsername(namespace.path) : undefined;
    return presentProject(project, urls, { owner, empty: !(await filled).has(id) });
  };

  const created = async (actor: Actor, id: number) => {
    const permitted = await access.project(actor, String(id), 'read_project');
    return { status: 201, body: { ...(await present(permitted.project)), ...presentPermissions(permitted) } };
  };

  const permitOwn = async (actor: Actor, userId: UserId) => {
    const own = await reader.findPersonalNamespace(userId);
    if (own === undefined) throw new NotFound('Namespace');
    return access.namespaceForProjects(actor, own.id);
  };

  const list = async (actor: Actor, filters: ListFilters, narrowed: Partial<ProjectQuery> = {}) => {
    const request = readPageRequest(filters);
    const minAccessLevel = levelAsked(filters);
    const { search, visibility, archived, id_after, id_before, order_by, sort, simple } = filters;
    const page = await reader.listProjects({
      viewer: access.viewer(actor),
      orderBy: order_by,
      sort,
      page: request,
      ...(search === undefined ? {} : { search }),
      ...(visibility === undefined ? {} : { visibility }),
      ...(archived === undefined ? {} : { archived }),
      ...(minAccessLevel === undefined ? {} : { minAccessLevel }),
      ...(id_after === undefined ? {} : { idAfter: id_after }),
      ...(id_before === undefined ? {} : { idBefore: id_before }),
      ...narrowed,
    });
    const basic = simple || actor.kind === 'anonymous';
    const filled = basic ? undefined : withCode(page.items.map(({ id }) => id));
    const body = basic
      ? page.items.map((project) => presentBasicProject(project, urls))
      : await Promise.all(page.items.map((project) => present(project, filled)));
    return { body, page: { request, of: page } };
  };

  const ListSchema = Type.Array(Type.Union([ProjectSchema, BasicProjectSchema]));

  const listProjects = route({
    method: 'get',
    path: '/projects',
    operationId: 'listProjects',
    summary: 'Every project that you may see',
    description: 'Works with and without a token; `membership=true` narrows it to your own.',
    tag: TAG,
    access: 'anyone',
    parameters: ListParameters,
    responses: { 200: ListSchema },
    handle: ({ actor, parameters: filters }) => list(actor, filters),
  });

  const listUserProjects = route({
    method: 'get',
    path: '/users/:id/projects',
    operationId: 'listUserProjects',
    summary: 'The projects in a person’s own namespace, as far as you may see them',
    tag: TAG,
    access: 'anyone',
    parameters: pagedParameters({ ...LIST_FILTERS, id: pathId('Id or user name') }),
    responses: { 200: ListSchema },
    guard: async ({ path }) => {
      const named = /^\d+$/.test(path['id'] ?? '') ? undefined : await users.findByUsername(path['id'] ?? '');
      const user = named ?? (await findUser(users, path['id']));
      const namespace = await reader.findPersonalNamespace(user.id);
      if (namespace === undefined) throw new NotFound('User');
      return namespace;
    },
    handle: ({ actor, subject, parameters: filters }) =>
      list(actor, filters, { within: { namespaceId: subject.id, includeSubgroups: false } }),
  });

  const listGroupProjects = route({
    method: 'get',
    path: '/groups/:id/projects',
    operationId: 'listGroupProjects',
    summary: 'The projects of a group, as far as you may see them',
    tag: TAG,
    access: 'anyone',
    parameters: pagedParameters({
      ...LIST_FILTERS,
      id: pathId('Number, or URL-encoded path of the group'),
      include_subgroups: Type.Boolean({ default: false }),
    }),
    responses: { 200: ListSchema },
    guard: ({ actor, path }) => access.group(actor, path['id'], 'read_group'),
    handle: ({ actor, subject, parameters: { include_subgroups, ...filters } }) =>
      list(actor, filters, { within: { namespaceId: subject.group.id, includeSubgroups: include_subgroups } }),
  });

  const getProject = route({
    method: 'get',
    path: '/projects/:id',
    operationId: 'getProject',
    summary: 'One project',
    tag: TAG,
    access: 'anyone',
    parameters: parameters({ id: PROJECT_ID }),
    responses: { 200: Type.Union([ProjectSchema, BasicProjectSchema]) },
    guard: ({ actor, path }) => access.project(actor, path['id'], 'read_project'),
    handle: async ({ actor, subject }) => ({
      body:
        actor.kind === 'anonymous'
          ? presentBasicProject(subject.project, urls)
          : { ...(await present(subject.project)), ...presentPermissions(subject) },
    }),
  });

  const postProject = route({
    method: 'post',
    path: '/projects',
    operationId: 'createProject',
    summary: 'Create a project in your own namespace or in a group',
    description: 'One of `name` and `path` is needed.',
    tag: TAG,
    access: 'user',
    parameters: parameters({
      ...EDITABLE,
      namespace_id: Type.Optional(identifier<NamespaceId>('Your own, or a group’s')),
    }),
    responses: { 201: ProjectSchema },
    guard: async (context) => {
      const { actor, sent } = context;
      if (sent['namespace_id'] === undefined) return permitOwn(actor, actor.id);
      const id = identifiedBy<NamespaceId>(context, 'namespace_id');
      return id && access.namespaceForProjects(actor, id);
    },
    handle: async ({ actor, subject: namespace, parameters: { namespace_id: _, ...given } }) => {
      // Beyond every identifier: what is none at all was refused with the other parameters.
      if (namespace === undefined) throw new NotFound('Namespace');
      return created(actor, await projects.create(namespace, readCreation(given, actor.id)));
    },
  });

  const postProjectForUser = route({
    method: 'post',
    path: '/projects/user/:user_id',
    operationId: 'createProjectForUser',
    summary: 'Create a project in somebody’s own namespace',
    tag: TAG,
    access: 'admin',
    parameters: parameters({ ...EDITABLE, user_id: pathId('Numeric id of the user') }),
    responses: { 201: ProjectSchema },
    guard: async ({ actor, path }) => {
      const user = await findUser(users, path['user_id']);
      return { user, namespace: await permitOwn(actor, user.id) };
    },
    handle: async ({ actor, subject: { user, namespace }, parameters: given }) =>
      created(actor, await projects.create(namespace, readCreation(given, user.id))),
  });

  const putProject = route({
    method: 'put',
    path: '/projects/:id',
    operationId: 'editProject',
    summary: 'Change a project',
    tag: TAG,
    access: 'user',
    parameters: parameters({ ...EDITABLE, id: PROJECT_ID, archived: Type.Optional(Type.Boolean()) }),
    responses: { 200: ProjectSchema },
    guard: ({ actor, path }) => access.project(actor, path['id'], 'manage_project'),
    handle: async ({ actor, subject, parameters: { archived, ...given } }) => {
      await projects.edit(subject, { ...readChanges(given), ...(archived === undefined ? {} : { archived }) });
      const after = await access.project(actor, String(subject.project.id), 'read_project');
      return { body: { ...(await present(after.project)), ...presentPermissions(after) } };
    },
  });

  const transferProject = route({
    method: 'put',
    path: '/projects/:id/transfer',
    operationId: 'transferProject',
    summary: 'Move a project that you own to another namespace; its addresses follow',
    tag: TAG,
    access: 'user',
    parameters: parameters({ id: PROJECT_ID, namespace: requiredText(2_000, 'Id or path of a group, or your own') }),
    responses: { 200: ProjectSchema },
    guard: async (context) => {
      const { actor, path } = context;
      const permitted = await access.project(actor, path['id'], 'transfer_project');
      const name = namedBy(context, 'namespace');
      // Without a name the parameters are refused.
      if (name === undefined || name.length > 2_000) return { permitted, target: undefined };
      const id = identifierIn<NamespaceId>(name) ?? (await reader.findNamespaceByPath(name))?.id;
      if (id === undefined) throw new NotFound('Namespace');
      return { permitted, target: await access.namespaceForProjects(actor, id) };
    },
    handle: async ({ actor, subject: { permitted, target } }) => {
      if (target === undefined) throw new NotFound('Namespace');
      await projects.transfer(permitted, target, actor.id);
      const after = await access.project(actor, String(permitted.project.id), 'read_project');
      return { body: { ...(await present(after.project)), ...presentPermissions(after) } };
    },
  });

  const deleteProject = route({
    method: 'delete',
    path: '/projects/:id',
    operationId: 'removeProject',
    summary: 'Remove a project: gone at once, cleaned up afterwards',
    tag: TAG,
    access: 'user',
    parameters: parameters({ id: PROJECT_ID }),
    responses: { 202: AcceptedSchema },
    guard: ({ actor, path }) => access.project(actor, path['id'], 'remove_project'),
    handle: async ({ subject }) => {
      await projects.requestRemoval(subject);
      return { status: 202, body: ACCEPTED };
    },
  });

  return [
    listProjects,
    listUserProjects,
    listGroupProjects,
    getProject,
    postProject,
    postProjectForUser,
    putProject,
    transferProject,
    deleteProject,
  ];
};
