import { Type } from '@sinclair/typebox';
import type { Actor } from '../../../../../application/shared/actor.js';
import {
  membersOfGroup,
  membersOfProject,
  type Members,
  type MembersOf,
} from '../../../../../application/workspace/members.js';
import type {
  MemberProfile,
  MemberQuery,
  WorkspaceReader,
} from '../../../../../application/workspace/ports/workspace-readers.js';
import type { WorkspaceAccess } from '../../../../../application/workspace/workspace-access.js';
import { Forbidden, NotFound } from '../../../../../domain/shared/domain-error.js';
import type { Page } from '../../../../../domain/shared/page.js';
import { readPageRequest } from '../../pagination/page-headers.js';
import { route, type Route } from '../../route.js';
import {
  day,
  identifier,
  nullable,
  pagedParameters,
  parameters,
  pathId,
  text,
  wholeNumber,
} from '../../validation/parameters.js';
import type { WebUrls } from '../../web-urls.js';
import { presentBasicUser } from '../users/present-user.js';
import { BasicUserSchema } from '../users/user-schema.js';

export interface MemberRoutesParts {
  readonly access: WorkspaceAccess;
  readonly reader: WorkspaceReader;
  readonly members: Members;
  readonly urls: WebUrls;
}

type Permission = 'read' | 'manage';

/** Groups and projects have their members at like addresses, with like answers. */
interface Owner {
  readonly path: 'projects' | 'groups';
  readonly name: string;
  /** @throws NotFound, Forbidden. */
  find(actor: Actor, id: string | undefined, permission: Permission): Promise<MembersOf>;
  list(id: number, query: MemberQuery): Promise<Page<MemberProfile>>;
}

const MemberSchema = Type.Object({
  ...BasicUserSchema.properties,
  access_level: Type.Integer(),
  created_at: Type.String({ format: 'date-time' }),
  expires_at: nullable(Type.String({ format: 'date' })),
});

const NUMERIC = /^\d{1,15}$/;
const ONE = { page: 1, perPage: 1 };

export const createMemberRoutes = (parts: MemberRoutesParts): readonly Route[] => {
  const { access, reader } = parts;
  const ofProjects: Owner = {
    path: 'projects',
    name: 'Project',
    find: async (actor, id, permission) =>
      membersOfProject(
        await access.project(actor, id, permission === 'read' ? 'read_project' : 'manage_project_members'),
      ),
    list: (id, query) => reader.projectMembers(id, query),
  };
  const ofGroups: Owner = {
    path: 'groups',
    name: 'Group',
    find: async (actor, id, permission) =>
      membersOfGroup(await access.group(actor, id, permission === 'read' ? 'read_group' : 'manage_group_members')),
    list: (id, query) => reader.groupMembers(id, query),
  };
  return [ofProjects, ofGroups].flatMap((owner) => memberRoutes(owner, parts));
};

const memberRoutes = (owner: Owner, { access, members, urls }: MemberRoutesParts): readonly Route[] => {
  const tag = `${owner.name} members`;
  const ownerId = pathId(`Number, or URL-encoded path of the ${owner.name.toLowerCase()}`);
  const memberId = pathId('Numeric id of the user');
  const base = `/${owner.path}/:id/members`;

  const present = (member: MemberProfile) => ({
    ...presentBasicUser({ ...member, id: member.userId }, urls),
    access_level: member.accessLevel,
    created_at: member.createdAt.toISOString(),
    expires_at: member.expiresAt,
  });

  const findMember = async (
    actor: Actor,
    of: MembersOf,
    userId: string | undefined,
    inherited: boolean,
  ): Promise<MemberProfile> => {
    if (userId === undefined || !NUMERIC.test(userId)) throw new NotFound();
    const viewer = access.viewer(actor);
    const { items } = await owner.list(of.id, { viewer, inherited, userId: Number(userId), page: ONE });
    if (items[0] === undefined) throw new NotFound();
    return items[0];
  };

  const answerMember = async (actor: Actor, status: number, of: MembersOf, userId: number) => ({
    status,
    body: present(await findMember(actor, of, String(userId), false)),
  });

  const list = (inherited: boolean) =>
    route({
      method: 'get',
      path: inherited ? `${base}/all` : base,
      operationId: `list${inherited ? 'All' : ''}${owner.name}Members`,
      summary: inherited ? 'Members, those of the groups above too' : 'Direct members',
      tag,
      access: 'user',
      parameters: pagedParameters({ id: ownerId, query: Type.Optional(text(255, 'Part of a name or user name')) }),
      responses: { 200: Type.Array(MemberSchema) },
      guard: ({ actor, path }) => owner.find(actor, path['id'], 'read'),
      handle: async ({ actor, subject, parameters: { query, ...paging } }) => {
        const request = readPageRequest(paging);
        const viewer = access.viewer(actor);
        const search = query === undefined ? {} : { search: query };
        const page = await owner.list(subject.id, { viewer, inherited, page: request, ...search });
        return { body: page.items.map(present), page: { request, of: page } };
      },
    });

  const get = (inherited: boolean) =>
    route({
      method: 'get',
      path: `${base}${inherited ? '/all' : ''}/:user_id`,
      operationId: `get${inherited ? 'Any' : ''}${owner.name}Member`,
      summary: inherited ? 'One member, of the groups above too' : 'One direct member',
      tag,
      access: 'user',
      parameters: parameters({ id: ownerId, user_id: memberId }),
      responses: { 200: MemberSchema },
      guard: async ({ actor, path }) =>
        findMember(actor, await owner.find(actor, path['id'], 'read'), path['user_id'], inherited),
      handle: ({ subject }) => Promise.resolve({ body: present(subject) }),
    });

  const post = route({
    method: 'post',
    path: base,
    operationId: `add${owner.name}Member`,
    summary: 'Add a member; 409 when he is one already',
    tag,
    access: 'user',
    parameters: parameters({
      id: ownerId,
      user_id: identifier('The user to add'),
      access_level: wholeNumber('10, 20, 30, 40, and on groups 50'),
      expires_at: Type.Optional(nullable(day('The UTC day on which the membership ends'))),
    }),
    responses: { 201: MemberSchema },
    guard: ({ actor, path }) => owner.find(actor, path['id'], 'manage'),
    handle: async ({ actor, subject, parameters: { user_id, access_level, expires_at } }) => {
      await members.add(subject, { userId: user_id, accessLevel: access_level, expiresAt: expires_at ?? null });
      return answerMember(actor, 201, subject, user_id);
    },
  });

  const put = route({
    method: 'put',
    path: `${base}/:user_id`,
    operationId: `edit${owner.name}Member`,
    summary: 'Change a member',
    tag,
    access: 'user',
    parameters: parameters({
      id: ownerId,
      user_id: memberId,
      access_level: wholeNumber(),
      expires_at: Type.Optional(nullable(day())),
    }),
    responses: { 200: MemberSchema },
    guard: async ({ actor, path }) => {
      const of = await owner.find(actor, path['id'], 'manage');
      return { of, member: await findMember(actor, of, path['user_id'], false) };
    },
    handle: async ({ actor, subject: { of, member }, parameters: { access_level, expires_at } }) => {
      await members.change(of, {
        userId: member.userId,
        accessLevel: access_level,
        ...(expires_at === undefined ? {} : { expiresAt: expires_at }),
      });
      return answerMember(actor, 200, of, member.userId);
    },
  });

  const remove = route({
    method: 'delete',
    path: `${base}/:user_id`,
    operationId: `remove${owner.name}Member`,
    summary: 'Remove a member; everybody may leave',
    tag,
    access: 'user',
    parameters: parameters({ id: ownerId, user_id: memberId }),
    responses: { 204: null },
    guard: async ({ actor, path }) => {
      const leaving = path['user_id'] === String(actor.id);
      const of = await owner.find(actor, path['id'], leaving ? 'read' : 'manage');
      const member = await findMember(actor, of, path['user_id'], false);
      if (!leaving && member.accessLevel > of.level) throw new Forbidden();
      return { of, member };
    },
    handle: async ({ subject: { of, member } }) => {
      await members.remove(of, member.userId);
      return { status: 204 };
    },
  });

  // "all" is an address of its own, so it comes before the members' ids.
  return [list(true), get(true), list(false), get(false), post, put, remove];
};
