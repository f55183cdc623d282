import { type NamespaceId, type UserId, identifierIn } from '../../../../../domain/shared/identifiers.js';
import { Type, type Static } from '@sinclair/typebox';
import type { Actor } from '../../../../../application/shared/actor.js';
import type { CreateProjectCommand, Projects } from '../../../../../application/workspace/projects.js';
import { VISIBILITIES } from '../../../../../domain/shared/visibility.js';
import { NotFound } from '../../../../../domain/shared/domain-error.js';
import { HttpError } from '../../http-error.js';
import { identifiedBy, namedBy } from '../../kit/guards.js';
import { route, type Route } from '../../route.js';
import { AcceptedSchema, ACCEPTED } from '../../accepted.js';
import {
  identifier,
  nullable,
  oneOf,
  pagedParameters,
  parameters,
  pathId,
  requiredText,
  text,
} from '../../validation/parameters.js';
import { findUser, findUserByName } from '../users/find-user.js';
import { BasicProjectSchema, ProjectListSchema, ProjectSchema } from './project-schema.js';
import { LIST_FILTERS, ListParameters, ShowProjects, type ShowProjectsParts } from './show-projects.js';

export interface ProjectRoutesParts extends ShowProjectsParts {
  readonly projects: Projects;
}

const TAG = 'Projects';
const PROJECT_ID = pathId('Number, or URL-encoded path of the project');

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

export const createProjectRoutes = (parts: ProjectRoutesParts): readonly Route[] => {
  const { access, reader, projects, users } = parts;
  const show = new ShowProjects(parts);

  const created = async (actor: Actor, id: number) => {
    const permitted = await access.project(actor, String(id), 'read_project');
    return { status: 201, body: await show.permitted(actor, permitted) };
  };

  const permitOwn = async (actor: Actor, userId: UserId) => {
    const own = await reader.findPersonalNamespace(userId);
    if (own === undefined) throw new NotFound('Namespace');
    return access.namespaceForProjects(actor, own.id);
  };

  const listProjects = route({
    method: 'get',
    path: '/projects',
    operationId: 'listProjects',
    summary: 'Every project that you may see',
    description: 'Works with and without a token; `membership=true` narrows it to your own.',
    tag: TAG,
    access: 'anyone',
    parameters: ListParameters,
    responses: { 200: ProjectListSchema },
    handle: ({ actor, parameters: filters }) => show.list(actor, filters),
  });

  const listUserProjects = route({
    method: 'get',
    path: '/users/:id/projects',
    operationId: 'listUserProjects',
    summary: 'The projects in a person’s own namespace, as far as you may see them',
    tag: TAG,
    access: 'anyone',
    parameters: pagedParameters({ ...LIST_FILTERS, id: pathId('Id or user name') }),
    responses: { 200: ProjectListSchema },
    guard: async ({ path }) => {
      const user = await findUserByName(users, path['id']);
      const namespace = await reader.findPersonalNamespace(user.id);
      if (namespace === undefined) throw new NotFound('User');
      return namespace;
    },
    handle: ({ actor, subject, parameters: filters }) =>
      show.list(actor, filters, { within: { namespaceId: subject.id, includeSubgroups: false } }),
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
    responses: { 200: ProjectListSchema },
    guard: ({ actor, path }) => access.group(actor, path['id'], 'read_group'),
    handle: ({ actor, subject, parameters: { include_subgroups, ...filters } }) =>
      show.list(actor, filters, { within: { namespaceId: subject.group.id, includeSubgroups: include_subgroups } }),
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
    handle: async ({ actor, subject }) => ({ body: await show.permitted(actor, subject) }),
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
    parameters: parameters({ ...EDITABLE, id: PROJECT_ID }),
    responses: { 200: ProjectSchema },
    guard: ({ actor, path }) => access.project(actor, path['id'], 'manage_project'),
    handle: async ({ actor, subject, parameters: given }) => {
      await projects.edit(subject, readChanges(given));
      const after = await access.project(actor, String(subject.project.id), 'read_project');
      return { body: await show.permitted(actor, after) };
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
      return { body: await show.permitted(actor, after) };
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
