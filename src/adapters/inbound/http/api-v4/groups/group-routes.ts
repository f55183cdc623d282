import { Type } from '@sinclair/typebox';
import type { Actor } from '../../../../../application/shared/actor.js';
import type { GroupTransfers } from '../../../../../application/workspace/group-transfers.js';
import type { Groups } from '../../../../../application/workspace/groups.js';
import type { GroupQuery, WorkspaceReader } from '../../../../../application/workspace/ports/workspace-readers.js';
import type { WorkspaceAccess } from '../../../../../application/workspace/workspace-access.js';
import { ACCESS_LEVEL } from '../../../../../domain/shared/access-level.js';
import { NotFound } from '../../../../../domain/shared/domain-error.js';
import type { GroupId } from '../../../../../domain/shared/identifiers.js';
import { VISIBILITIES } from '../../../../../domain/shared/visibility.js';
import { AcceptedSchema, ACCEPTED } from '../../accepted.js';
import { given } from '../../kit/given.js';
import { GROUP_ID, identifiedBy, inGroup, inProject, namedBy, PROJECT_ID } from '../../kit/guards.js';
import { routesOf } from '../../kit/routes-of.js';
import { route, type Route } from '../../route.js';
import {
  identifier,
  integer,
  listOf,
  nullable,
  oneOf,
  parameters,
  text,
  type ParametersOf,
} from '../../validation/parameters.js';
import type { WebUrls } from '../../web-urls.js';
import { GroupSchema, presentGroup } from './group-schema.js';

export interface GroupRoutesParts {
  readonly access: WorkspaceAccess;
  readonly reader: WorkspaceReader;
  readonly groups: Groups;
  readonly groupTransfers: GroupTransfers;
  readonly urls: WebUrls;
}
type Parts = GroupRoutesParts;

const TAG = 'Groups';
const MAX_PATH = 2_000;
const ALL = '/groups';
const ONE = `${ALL}/:id`;
const IN_PATH = { id: GROUP_ID };

const { list, get, post, put } = routesOf({ tag: TAG });

const SEARCH = Type.Optional(text(255, 'Part of the name or path'));
const SKIPPED = Type.Optional(listOf(identifier<GroupId>(), { maxItems: 100 }));

const FILTERS = {
  search: SEARCH,
  owned: Type.Optional(Type.Boolean({ description: 'Only those you own' })),
  all_available: Type.Optional(Type.Boolean({ description: 'False: only those you are a member of' })),
  min_access_level: Type.Optional(integer({ minimum: 0, maximum: 50 })),
  top_level_only: Type.Boolean({ default: false }),
  skip_groups: SKIPPED,
  order_by: oneOf(['name', 'path', 'id'], { default: 'name' }),
  sort: oneOf(['asc', 'desc'], { default: 'asc' }),
};
type Filters = ParametersOf<typeof FILTERS>;

const OPTIONAL_FIELDS = {
  description: Type.Optional(nullable(text(10_000))),
  visibility: Type.Optional(oneOf(VISIBILITIES)),
  request_access_enabled: Type.Optional(Type.Boolean({ description: 'Whether who sees it may ask to be a member' })),
};

const levelAsked = ({ owned, all_available, min_access_level }: Filters): number | undefined => {
  const levels = [
    owned === true ? ACCESS_LEVEL.owner : 0,
    all_available === false ? ACCESS_LEVEL.guest : 0,
    min_access_level ?? 0,
  ];
  const highest = Math.max(...levels);
  return highest === 0 ? undefined : highest;
};

const filtersIn = (filters: Filters): Omit<GroupQuery, 'viewer' | 'page'> => {
  const { search, top_level_only: topLevelOnly, skip_groups: skip, order_by: orderBy, sort } = filters;
  return { topLevelOnly, orderBy, sort, ...given({ search, minAccessLevel: levelAsked(filters), skip }) };
};

const show = async ({ access, urls }: Parts, actor: Actor, id: number) =>
  presentGroup((await access.group(actor, String(id), 'read_group')).group, urls);

export const listGroups = ({ access, reader, urls }: Parts) =>
  list(ALL, 'listGroups', {
    summary: 'Every group that you may see',
    access: 'anyone',
    parameters: FILTERS,
    items: GroupSchema,
    read: ({ actor, parameters: filters, page }) =>
      reader.listGroups({ ...filtersIn(filters), viewer: access.viewer(actor), page }),
    present: (group) => presentGroup(group, urls),
  });

export const listSubgroups = ({ access, reader, urls }: Parts) =>
  list(`${ONE}/subgroups`, 'listSubgroups', {
    summary: 'The groups directly below a group, as far as you may see them',
    access: 'anyone',
    parameters: { ...FILTERS, ...IN_PATH },
    items: GroupSchema,
    guard: inGroup(access, 'read_group'),
    read: ({ actor, subject: { group }, parameters: filters, page }) =>
      reader.listGroups({ ...filtersIn(filters), parentId: group.id, viewer: access.viewer(actor), page }),
    present: (group) => presentGroup(group, urls),
  });

export const listDescendantGroups = ({ access, reader, urls }: Parts) =>
  list(`${ONE}/descendant_groups`, 'listDescendantGroups', {
    summary: 'The groups below a group, however deep, as far as you may see them',
    access: 'anyone',
    parameters: { ...FILTERS, ...IN_PATH },
    items: GroupSchema,
    guard: inGroup(access, 'read_group'),
    read: ({ actor, subject: { group }, parameters: filters, page }) =>
      reader.listGroups({ ...filtersIn(filters), below: group.id, viewer: access.viewer(actor), page }),
    present: (group) => presentGroup(group, urls),
  });

export const listProjectGroups = ({ access, reader, urls }: Parts) =>
  list('/projects/:id/groups', 'listProjectGroups', {
    summary: 'The groups that hold a project, as far as you may see them',
    access: 'anyone',
    parameters: {
      id: PROJECT_ID,
      search: SEARCH,
      skip_groups: SKIPPED,
      with_shared: Type.Boolean({ default: false, description: 'Beside them those that it is shared with' }),
      shared_visible_only: Type.Boolean({ default: false, description: 'Nobody is shown others, whatever is sent' }),
      shared_min_access_level: integer({
        minimum: 0,
        maximum: 50,
        default: 0,
        description: 'Of those that it is shared with only those that get this level, or a higher one',
      }),
    },
    items: GroupSchema,
    guard: inProject(access, 'read_project'),
    read: ({ actor, subject: { project }, parameters: sent, page }) => {
      const { search, skip_groups: skip, shared_min_access_level: minAccessLevel } = sent;
      const shared = sent.with_shared ? { minAccessLevel } : undefined;
      return reader.listGroups({
        viewer: access.viewer(actor),
        ofProject: { id: project.id, namespaceId: project.namespace.id, ...given({ shared }) },
        ...given({ search, skip }),
        orderBy: 'name',
        sort: 'asc',
        page,
      });
    },
    present: (group) => presentGroup(group, urls),
  });

export const getGroup = ({ access, urls }: Parts) =>
  get(ONE, 'getGroup', {
    summary: 'One group',
    access: 'anyone',
    parameters: IN_PATH,
    answer: GroupSchema,
    guard: inGroup(access, 'read_group'),
    handle: ({ subject }) => presentGroup(subject.group, urls),
  });

export const createGroup = (parts: Parts) =>
  post(ALL, 'createGroup', {
    summary: 'Create a group, at the top or below another',
    access: 'user',
    parameters: {
      name: text(1_000),
      path: text(1_000),
      parent_id: Type.Optional(nullable(identifier('The group that will hold it'))),
      ...OPTIONAL_FIELDS,
    },
    answer: GroupSchema,
    guard: async (context) => {
      const id = identifiedBy<GroupId>(context, 'parent_id');
      return id && parts.access.group(context.actor, String(id), 'create_subgroups');
    },
    handle: async ({ actor, subject: parent, parameters }) => {
      const { name, path, parent_id, description, visibility, request_access_enabled } = parameters;
      // Beyond every identifier: what is none at all was refused with the other parameters.
      if (parent === undefined && parent_id !== undefined && parent_id !== null) throw new NotFound('Group');
      const chosen = given({ visibility, requestAccessEnabled: request_access_enabled });
      const fields = { name, path, description: description ?? '', ...chosen };
      return show(parts, actor, await parts.groups.create(parent, { creator: actor, ...fields }));
    },
  });

export const editGroup = (parts: Parts) =>
  put(ONE, 'editGroup', {
    summary: 'Change a group; the paths of what it holds follow',
    access: 'user',
    parameters: {
      ...IN_PATH,
      name: Type.Optional(text(1_000)),
      path: Type.Optional(text(1_000)),
      ...OPTIONAL_FIELDS,
    },
    answer: GroupSchema,
    guard: inGroup(parts.access, 'manage_group'),
    handle: async ({ actor, subject, parameters: { description, request_access_enabled, ...others } }) => {
      const { name, path, visibility } = others;
      const described = description === null ? '' : description;
      const changes = { name, path, description: described, visibility, requestAccessEnabled: request_access_enabled };
      await parts.groups.edit(subject, given(changes));
      return show(parts, actor, subject.group.id);
    },
  });

export const transferGroup = (parts: Parts) =>
  post(`${ONE}/transfer`, 'transferGroup', {
    summary: 'Move a group that you own below another, or to the top; the addresses of everything in it follow',
    access: 'user',
    parameters: { ...IN_PATH, group_id: Type.Optional(nullable(text(MAX_PATH))) },
    answer: GroupSchema,
    guard: async (context) => {
      const permitted = await parts.access.group(context.actor, context.path['id'], 'transfer_group');
      const name = namedBy(context, 'group_id');
      // What names nothing is left to the parameters.
      if (name === undefined || name.length > MAX_PATH) return { permitted, target: undefined };
      return { permitted, target: await parts.access.group(context.actor, name, 'create_subgroups') };
    },
    handle: async ({ actor, subject: { permitted, target }, parameters: { group_id: named } }) => {
      // Only who names no group at all means the top.
      if (target === undefined && named !== undefined && named !== null && named !== '') throw new NotFound('Group');
      await parts.groupTransfers.transfer(permitted, target, actor);
      return show(parts, actor, permitted.group.id);
    },
  });

export const removeGroup = ({ access, groups }: Parts) =>
  route({
    method: 'delete',
    path: ONE,
    operationId: 'removeGroup',
    summary: 'Remove a group with everything in it: gone at once, cleaned up afterwards',
    tag: TAG,
    access: 'user',
    parameters: parameters(IN_PATH),
    responses: { 202: AcceptedSchema },
    guard: inGroup(access, 'remove_group'),
    lastChanged: ({ group }) => group.updatedAt,
    handle: async ({ subject }) => {
      await groups.requestRemoval(subject);
      return { status: 202, body: ACCEPTED };
    },
  });

export const createGroupRoutes = (parts: Parts): readonly Route[] =>
  [
    listGroups,
    listSubgroups,
    listDescendantGroups,
    listProjectGroups,
    getGroup,
    createGroup,
    editGroup,
    transferGroup,
    removeGroup,
  ].map((make) => make(parts));
