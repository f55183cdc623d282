import { type UserId, identifierIn } from '../../../../../domain/shared/identifiers.js';
import { Type } from '@sinclair/typebox';
import type { Actor } from '../../../../../application/shared/actor.js';
import type { ManagerOfMembers, Members, ViewerOfMembers } from '../../../../../application/workspace/members.js';
import type {
  MemberProfile,
  MemberQuery,
  WorkspaceReader,
} from '../../../../../application/workspace/ports/workspace-readers.js';
import type { WorkspaceAccess } from '../../../../../application/workspace/workspace-access.js';
import { Forbidden, NotFound } from '../../../../../domain/shared/domain-error.js';
import type { Page } from '../../../../../domain/shared/page.js';
import { given } from '../../kit/given.js';
import { GROUP_ID, inGroup, inProject, PROJECT_ID } from '../../kit/guards.js';
import { pagedList } from '../../kit/paged-list.js';
import { route, type Guard, type Route } from '../../route.js';
import {
  day,
  identifier,
  listOf,
  nullable,
  parameters,
  pathId,
  text,
  wholeNumber,
} from '../../validation/parameters.js';
import type { WebUrls } from '../../web-urls.js';
import { presentBasicUser } from '../users/present-user.js';
import { BasicUserSchema } from '../users/user-schema.js';
import { component } from '../../openapi/component.js';

export interface MemberRoutesParts {
  readonly access: WorkspaceAccess;
  readonly reader: WorkspaceReader;
  readonly members: Members;
  readonly urls: WebUrls;
}

/** Groups and projects have their members at like addresses, with like answers. */
interface Owner {
  readonly base: string;
  readonly name: 'Project' | 'Group';
  readonly id: typeof PROJECT_ID;
  readonly view: Guard<ViewerOfMembers>;
  readonly manage: Guard<ManagerOfMembers>;
  readonly list: (place: ViewerOfMembers | ManagerOfMembers, query: MemberQuery) => Promise<Page<MemberProfile>>;
}

interface Parts extends MemberRoutesParts {
  readonly owner: Owner;
}

const ONE = { page: 1, perPage: 1 };
const MEMBER_ID = pathId('Numeric id of the user');

export const MemberSchema = component(
  'schemas/Member',
  Type.Object({
    ...BasicUserSchema.properties,
    access_level: Type.Integer(),
    created_at: Type.String({ format: 'date-time' }),
    expires_at: nullable(Type.String({ format: 'date' })),
  }),
);

export const presentMember = (member: MemberProfile, urls: WebUrls) => ({
  ...presentBasicUser({ ...member, id: member.userId }, urls),
  access_level: member.accessLevel,
  created_at: member.createdAt.toISOString(),
  expires_at: member.expiresAt,
});

const findMember = async (
  { access, owner }: Parts,
  actor: Actor,
  place: ViewerOfMembers | ManagerOfMembers,
  { userId, inherited = false }: { readonly userId: UserId | undefined; readonly inherited?: boolean },
): Promise<MemberProfile> => {
  if (userId === undefined) throw new NotFound();
  const { items } = await owner.list(place, { viewer: access.viewer(actor), inherited, userId, page: ONE });
  if (items[0] === undefined) throw new NotFound();
  return items[0];
};

const listMembers = ({ access, owner, urls }: Parts, inherited: boolean) =>
  pagedList({
    path: inherited ? `${owner.base}/all` : owner.base,
    operationId: `list${inherited ? 'All' : ''}${owner.name}Members`,
    summary: inherited ? 'Members, those of the groups above too' : 'Direct members',
    tag: `${owner.name} members`,
    access: 'user',
    parameters: {
      id: owner.id,
      query: Type.Optional(text(255, 'Part of a name or user name')),
      user_ids: Type.Optional(listOf(identifier<UserId>(), { description: 'Only these people' })),
    },
    items: MemberSchema,
    guard: owner.view,
    read: ({ actor, subject, parameters: { query, user_ids: userIds }, page }) =>
      owner.list(subject, { viewer: access.viewer(actor), inherited, page, ...given({ search: query, userIds }) }),
    present: (member) => presentMember(member, urls),
  });

const listProjectUsers = ({ access, reader, urls }: MemberRoutesParts) =>
  pagedList({
    path: '/projects/:id/users',
    operationId: 'listProjectUsers',
    summary: 'Members as people, those of the groups above too',
    tag: 'Project members',
    access: 'user',
    parameters: {
      id: PROJECT_ID,
      search: Type.Optional(text(255, 'Part of a name or user name')),
      skip_users: Type.Optional(listOf(identifier<UserId>(), { description: 'Ids of people who are left out' })),
    },
    items: BasicUserSchema,
    guard: inProject(access, 'read_project'),
    read: ({ actor, subject: { project }, parameters: { search, skip_users: skip }, page }) =>
      reader.projectMembers(project.id, {
        viewer: access.viewer(actor),
        inherited: true,
        page,
        ...given({ search, skip }),
      }),
    present: (member) => presentBasicUser({ ...member, id: member.userId }, urls),
  });

const getMember = (parts: Parts, inherited: boolean) =>
  route({
    method: 'get',
    path: `${parts.owner.base}${inherited ? '/all' : ''}/:user_id`,
    operationId: `get${inherited ? 'Any' : ''}${parts.owner.name}Member`,
    summary: inherited ? 'One member, of the groups above too' : 'One direct member',
    tag: `${parts.owner.name} members`,
    access: 'user',
    parameters: parameters({ id: parts.owner.id, user_id: MEMBER_ID }),
    responses: { 200: MemberSchema },
    guard: async (context) => {
      const userId = identifierIn<UserId>(context.path['user_id']);
      return findMember(parts, context.actor, await parts.owner.view.decide(context), { userId, inherited });
    },
    handle: async ({ subject }) => ({ body: presentMember(subject, parts.urls) }),
  });

export const addMember = (parts: Parts) =>
  route({
    method: 'post',
    path: parts.owner.base,
    operationId: `add${parts.owner.name}Member`,
    summary: 'Add a member; 409 when they are one already',
    tag: `${parts.owner.name} members`,
    access: 'user',
    parameters: parameters({
      id: parts.owner.id,
      user_id: identifier<UserId>('The user to add'),
      access_level: wholeNumber('10, 20, 30, 40, and on groups 50'),
      expires_at: Type.Optional(nullable(day('The UTC day on which the membership ends'))),
    }),
    responses: { 201: MemberSchema },
    guard: parts.owner.manage,
    handle: async ({ actor, subject, parameters: { user_id: userId, access_level, expires_at = null } }) => {
      await parts.members.add(subject, { userId, accessLevel: access_level, expiresAt: expires_at });
      return { status: 201, body: presentMember(await findMember(parts, actor, subject, { userId }), parts.urls) };
    },
  });

export const editMember = (parts: Parts) =>
  route({
    method: 'put',
    path: `${parts.owner.base}/:user_id`,
    operationId: `edit${parts.owner.name}Member`,
    summary: 'Change a member',
    tag: `${parts.owner.name} members`,
    access: 'user',
    parameters: parameters({
      id: parts.owner.id,
      user_id: MEMBER_ID,
      access_level: wholeNumber(),
      expires_at: Type.Optional(nullable(day())),
    }),
    responses: { 200: MemberSchema },
    guard: async (context) => {
      const manager = await parts.owner.manage.decide(context);
      const userId = identifierIn<UserId>(context.path['user_id']);
      return { manager, member: await findMember(parts, context.actor, manager, { userId }) };
    },
    handle: async ({ actor, subject: { manager, member }, parameters: { access_level, expires_at: expiresAt } }) => {
      const { userId } = member;
      await parts.members.change(manager, { userId, accessLevel: access_level, ...given({ expiresAt }) });
      return { body: presentMember(await findMember(parts, actor, manager, { userId }), parts.urls) };
    },
  });

export const removeMember = (parts: Parts) =>
  route({
    method: 'delete',
    path: `${parts.owner.base}/:user_id`,
    operationId: `remove${parts.owner.name}Member`,
    summary: 'Remove a member; everybody may leave',
    tag: `${parts.owner.name} members`,
    access: 'user',
    parameters: parameters({ id: parts.owner.id, user_id: MEMBER_ID }),
    responses: { 204: null },
    guard: async (context) => {
      const { actor, path } = context;
      const userId = identifierIn<UserId>(path['user_id']);
      if (path['user_id'] === String(actor.id)) {
        const viewer = await parts.owner.view.decide(context);
        await findMember(parts, actor, viewer, { userId });
        return () => parts.members.leave(actor, viewer);
      }
      const manager = await parts.owner.manage.decide(context);
      const member = await findMember(parts, actor, manager, { userId });
      if (member.accessLevel > manager.level) throw new Forbidden();
      return () => parts.members.remove(manager, member.userId);
    },
    handle: async ({ subject: remove }) => {
      await remove();
      return { status: 204 };
    },
  });

const ownersOf = ({ access, reader }: MemberRoutesParts): readonly Owner[] => {
  const list: Owner['list'] = (place, query) =>
    'project' in place ? reader.projectMembers(place.project.id, query) : reader.groupMembers(place.group.id, query);
  return [
    {
      base: '/projects/:id/members',
      name: 'Project',
      id: PROJECT_ID,
      view: inProject(access, 'read_project'),
      manage: inProject(access, 'manage_project_members'),
      list,
    },
    {
      base: '/groups/:id/members',
      name: 'Group',
      id: GROUP_ID,
      view: inGroup(access, 'read_group'),
      manage: inGroup(access, 'manage_group_members'),
      list,
    },
  ];
};

const routesOfOwner = (parts: Parts): readonly Route[] => [
  // "all" is an address of its own, so it comes before the members' ids.
  listMembers(parts, true),
  getMember(parts, true),
  listMembers(parts, false),
  getMember(parts, false),
  addMember(parts),
  editMember(parts),
  removeMember(parts),
];

export const createMemberRoutes = (shared: MemberRoutesParts): readonly Route[] => [
  ...ownersOf(shared).flatMap((owner) => routesOfOwner({ ...shared, owner })),
  listProjectUsers(shared),
];
