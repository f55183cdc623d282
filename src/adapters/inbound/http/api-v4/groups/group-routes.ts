import type { GroupId } from '../../../../../domain/shared/identifiers.js';
import { Type, type Static } from '@sinclair/typebox';
import type { Actor } from '../../../../../application/shared/actor.js';
import type { Groups } from '../../../../../application/workspace/groups.js';
import type { WorkspaceReader } from '../../../../../application/workspace/ports/workspace-readers.js';
import type { WorkspaceAccess } from '../../../../../application/workspace/workspace-access.js';
import { ACCESS_LEVEL } from '../../../../../domain/shared/access-level.js';
import type { Group } from '../../../../../domain/workspace/namespace.js';
import { VISIBILITIES } from '../../../../../domain/shared/visibility.js';
import { AcceptedSchema, ACCEPTED } from '../../accepted.js';
import { NotFound } from '../../../../../domain/shared/domain-error.js';
import { identifiedBy } from '../../kit/guards.js';
import { readPageRequest } from '../../pagination/page-headers.js';
import { route, type Route } from '../../route.js';
import {
  identifier,
  integer,
  listOf,
  nullable,
  oneOf,
  pagedParameters,
  parameters,
  pathId,
  text,
} from '../../validation/parameters.js';
import type { WebUrls } from '../../web-urls.js';
import { component } from '../../openapi/component.js';

export interface GroupRoutesParts {
  readonly access: WorkspaceAccess;
  readonly reader: WorkspaceReader;
  readonly groups: Groups;
  readonly urls: WebUrls;
}

const TAG = 'Groups';
const GROUP_ID = pathId('Number, or URL-encoded path of the group');

const GroupSchema = component(
  'schemas/Group',
  Type.Object({
    id: Type.Integer(),
    name: Type.String(),
    path: Type.String(),
    description: Type.String(),
    visibility: Type.String(),
    avatar_url: nullable(Type.String()),
    web_url: Type.String(),
    full_name: Type.String(),
    full_path: Type.String(),
    parent_id: nullable(Type.Integer()),
    created_at: Type.String({ format: 'date-time' }),
  }),
);

const ListParameters = pagedParameters({
  search: Type.Optional(text(255, 'Part of the name or path')),
  owned: Type.Optional(Type.Boolean({ description: 'Only those you own' })),
  all_available: Type.Optional(Type.Boolean({ description: 'False: only those you are a member of' })),
  min_access_level: Type.Optional(integer({ minimum: 0, maximum: 50 })),
  top_level_only: Type.Boolean({ default: false }),
  skip_groups: Type.Optional(listOf(identifier<GroupId>(), { maxItems: 100 })),
  order_by: oneOf(['name', 'path', 'id'], { default: 'name' }),
  sort: oneOf(['asc', 'desc'], { default: 'asc' }),
});

export const createGroupRoutes = ({ access, reader, groups, urls }: GroupRoutesParts): readonly Route[] => {
  const present = (group: Group) => ({
    id: group.id,
    name: group.name,
    path: group.path,
    description: group.description,
    visibility: group.visibility,
    avatar_url: null,
    web_url: urls.group(group.fullPath),
    full_name: group.fullName,
    full_path: group.fullPath,
    parent_id: group.parentId,
    created_at: group.createdAt.toISOString(),
  });

  const presentById = async (actor: Actor, id: number) =>
    present((await access.group(actor, String(id), 'read_group')).group);

  const list = async (actor: Actor, filters: Static<typeof ListParameters>, parentId?: GroupId) => {
    const request = readPageRequest(filters);
    const { search, owned, all_available, min_access_level, top_level_only, skip_groups, order_by, sort } = filters;
    const minAccessLevel = Math.max(
      owned === true ? ACCESS_LEVEL.owner : 0,
      all_available === false ? ACCESS_LEVEL.guest : 0,
      min_access_level ?? 0,
    );
    const page = await reader.listGroups({
      viewer: access.viewer(actor),
      topLevelOnly: top_level_only,
      orderBy: order_by,
      sort,
      page: request,
      ...(search === undefined ? {} : { search }),
      ...(minAccessLevel === 0 ? {} : { minAccessLevel }),
      ...(parentId === undefined ? {} : { parentId }),
      ...(skip_groups === undefined ? {} : { skip: skip_groups }),
    });
    return { body: page.items.map(present), page: { request, of: page } };
  };

  const listGroups = route({
    method: 'get',
    path: '/groups',
    operationId: 'listGroups',
    summary: 'Every group that you may see',
    tag: TAG,
    access: 'anyone',
    parameters: ListParameters,
    responses: { 200: Type.Array(GroupSchema) },
    handle: ({ actor, parameters: filters }) => list(actor, filters),
  });

  const listSubgroups = route({
    method: 'get',
    path: '/groups/:id/subgroups',
    operationId: 'listSubgroups',
    summary: 'The groups directly below a group, as far as you may see them',
    tag: TAG,
    access: 'anyone',
    parameters: parameters({ ...ListParameters.properties, id: GROUP_ID }),
    responses: { 200: Type.Array(GroupSchema) },
    guard: ({ actor, path }) => access.group(actor, path['id'], 'read_group'),
    handle: ({ actor, subject, parameters: filters }) => list(actor, filters, subject.group.id),
  });

  const getGroup = route({
    method: 'get',
    path: '/groups/:id',
    operationId: 'getGroup',
    summary: 'One group',
    tag: TAG,
    access: 'anyone',
    parameters: parameters({ id: GROUP_ID }),
    responses: { 200: GroupSchema },
    guard: ({ actor, path }) => access.group(actor, path['id'], 'read_group'),
    handle: ({ subject }) => Promise.resolve({ body: present(subject.group) }),
  });

  const postGroup = route({
    method: 'post',
    path: '/groups',
    operationId: 'createGroup',
    summary: 'Create a group, at the top or below another',
    tag: TAG,
    access: 'user',
    parameters: parameters({
      name: text(1_000),
      path: text(1_000),
      parent_id: Type.Optional(nullable(identifier('The group that will hold it'))),
      description: Type.Optional(nullable(text(10_000))),
      visibility: Type.Optional(oneOf(VISIBILITIES)),
    }),
    responses: { 201: GroupSchema },
    guard: async (context) => {
      const id = identifiedBy<GroupId>(context, 'parent_id');
      return id && access.group(context.actor, String(id), 'create_subgroups');
    },
    handle: async ({ actor, subject: parent, parameters: { name, path, parent_id, description, visibility } }) => {
      // Beyond every identifier: what is none at all was refused with the other parameters.
      if (parent === undefined && parent_id !== undefined && parent_id !== null) throw new NotFound('Group');
      const id = await groups.create(parent, {
        creatorId: actor.id,
        name,
        path,
        description: description ?? '',
        ...(visibility === undefined ? {} : { visibility }),
      });
      return { status: 201, body: await presentById(actor, id) };
    },
  });

  const putGroup = route({
    method: 'put',
    path: '/groups/:id',
    operationId: 'editGroup',
    summary: 'Change a group; the paths of what it holds follow',
    tag: TAG,
    access: 'user',
    parameters: parameters({
      id: GROUP_ID,
      name: Type.Optional(text(1_000)),
      path: Type.Optional(text(1_000)),
      description: Type.Optional(nullable(text(10_000))),
      visibility: Type.Optional(oneOf(VISIBILITIES)),
    }),
    responses: { 200: GroupSchema },
    guard: ({ actor, path }) => access.group(actor, path['id'], 'manage_group'),
    handle: async ({ actor, subject, parameters: { name, path, description, visibility } }) => {
      await groups.edit(subject, {
        ...(name === undefined ? {} : { name }),
        ...(path === undefined ? {} : { path }),
        ...(description === undefined ? {} : { description: description ?? '' }),
        ...(visibility === undefined ? {} : { visibility }),
      });
      return { body: await presentById(actor, subject.group.id) };
    },
  });

  const deleteGroup = route({
    method: 'delete',
    path: '/groups/:id',
    operationId: 'removeGroup',
    summary: 'Remove a group with everything in it: gone at once, cleaned up afterwards',
    tag: TAG,
    access: 'user',
    parameters: parameters({ id: GROUP_ID }),
    responses: { 202: AcceptedSchema },
    guard: ({ actor, path }) => access.group(actor, path['id'], 'remove_group'),
    handle: async ({ subject }) => {
      await groups.requestRemoval(subject);
      return { status: 202, body: ACCEPTED };
    },
  });

  return [listGroups, listSubgroups, getGroup, postGroup, putGroup, deleteGroup];
};
