import { Type } from '@sinclair/typebox';
import {
  requestedPlace,
  type AccessRequests,
  type Asked,
} from '../../../../../application/workspace/access-requests.js';
import type { ManagerOfMembers, ViewerOfMembers } from '../../../../../application/workspace/members.js';
import type {
  AccessRequestProfile,
  AccessRequestReader,
} from '../../../../../application/workspace/ports/access-requests.js';
import type { MemberProfile, WorkspaceReader } from '../../../../../application/workspace/ports/workspace-readers.js';
import type { Actor } from '../../../../../application/shared/actor.js';
import type { WorkspaceAccess } from '../../../../../application/workspace/workspace-access.js';
import { identifierIn, type UserId } from '../../../../../domain/shared/identifiers.js';
import { given } from '../../kit/given.js';
import { GROUP_ID, inGroup, inProject, PROJECT_ID } from '../../kit/guards.js';
import { orNotFound } from '../../kit/or-not-found.js';
import { pagedList } from '../../kit/paged-list.js';
import { component } from '../../openapi/component.js';
import { route, type Guard, type Route } from '../../route.js';
import { parameters, pathId, wholeNumber } from '../../validation/parameters.js';
import type { WebUrls } from '../../web-urls.js';
import { presentBasicUser } from '../users/present-user.js';
import { BasicUserSchema } from '../users/user-schema.js';
import { MemberSchema, presentMember } from './member-routes.js';

export interface AccessRequestRoutesParts {
  readonly access: WorkspaceAccess;
  readonly reader: WorkspaceReader;
  readonly accessRequests: AccessRequests;
  readonly accessRequestReader: AccessRequestReader;
  readonly urls: WebUrls;
}

/** Groups and projects have requests for access at like addresses, with like answers. */
interface Owner {
  readonly base: string;
  readonly name: 'Project' | 'Group';
  readonly id: typeof PROJECT_ID;
  readonly view: Guard<ViewerOfMembers>;
  readonly ask: Guard<Asked>;
  readonly manage: Guard<ManagerOfMembers>;
}

interface Parts extends AccessRequestRoutesParts {
  readonly owner: Owner;
}

const REQUESTER_ID = pathId('Numeric id of whoever asked');
const instant = Type.String({ format: 'date-time' });

const AccessRequestSchema = component(
  'schemas/AccessRequest',
  Type.Object({ ...BasicUserSchema.properties, created_at: instant, requested_at: instant }),
);

const present = ({ userId, requestedAt, ...person }: AccessRequestProfile, urls: WebUrls) => ({
  ...presentBasicUser({ ...person, id: userId }, urls),
  created_at: requestedAt.toISOString(),
  requested_at: requestedAt.toISOString(),
});

const tagOf = ({ owner }: Parts): string => `${owner.name} members`;

const listRequests = (parts: Parts) =>
  pagedList({
    path: parts.owner.base,
    operationId: `list${parts.owner.name}AccessRequests`,
    summary: 'Who asks to be a member, for who may manage the members',
    tag: tagOf(parts),
    access: 'user',
    parameters: { id: parts.owner.id },
    items: AccessRequestSchema,
    guard: parts.owner.manage,
    read: ({ subject, page }) => parts.accessRequestReader.list(requestedPlace(subject), page),
    present: (request) => present(request, parts.urls),
  });

const askForAccess = (parts: Parts) =>
  route({
    method: 'post',
    path: parts.owner.base,
    operationId: `request${parts.owner.name}Access`,
    summary: 'Ask to be a member; 409 for who is one, or has asked already',
    tag: tagOf(parts),
    access: 'user',
    parameters: parameters({ id: parts.owner.id }),
    responses: { 201: AccessRequestSchema },
    guard: parts.owner.ask,
    handle: async ({ actor, subject }) => ({
      status: 201,
      body: present(await parts.accessRequests.ask(actor, subject), parts.urls),
    }),
  });

/** Who has become a member. */
const findMember = async (
  { access, reader }: Parts,
  actor: Actor,
  place: ManagerOfMembers,
  userId: UserId,
): Promise<MemberProfile> => {
  const query = { viewer: access.viewer(actor), inherited: false, userId, page: { page: 1, perPage: 1 } };
  const { items } =
    'project' in place
      ? await reader.projectMembers(place.project.id, query)
      : await reader.groupMembers(place.group.id, query);
  return orNotFound(items[0]);
};

export const approveRequest = (parts: Parts) =>
  route({
    method: 'put',
    path: `${parts.owner.base}/:user_id/approve`,
    operationId: `approve${parts.owner.name}AccessRequest`,
    summary: 'Make whoever asked a member, at most of your own level',
    tag: tagOf(parts),
    access: 'user',
    parameters: parameters({
      id: parts.owner.id,
      user_id: REQUESTER_ID,
      access_level: Type.Optional(wholeNumber('10, 20, 30 (the default), 40, and on groups 50')),
    }),
    responses: { 201: MemberSchema },
    guard: parts.owner.manage,
    handle: async ({ actor, subject, parameters: { user_id, access_level: accessLevel } }) => {
      const userId = orNotFound(identifierIn<UserId>(user_id));
      await parts.accessRequests.approve(subject, actor, { userId, ...given({ accessLevel }) });
      return { status: 201, body: presentMember(await findMember(parts, actor, subject, userId), parts.urls) };
    },
  });

export const denyRequest = (parts: Parts) =>
  route({
    method: 'delete',
    path: `${parts.owner.base}/:user_id`,
    operationId: `deny${parts.owner.name}AccessRequest`,
    summary: 'Deny a request; everybody may take back their own',
    tag: tagOf(parts),
    access: 'user',
    parameters: parameters({ id: parts.owner.id, user_id: REQUESTER_ID }),
    responses: { 204: null },
    guard: async (context) => {
      const { actor, path } = context;
      if (path['user_id'] === String(actor.id)) {
        const viewer = await parts.owner.view.decide(context);
        return () => parts.accessRequests.withdraw(actor, viewer);
      }
      const manager = await parts.owner.manage.decide(context);
      const userId = orNotFound(identifierIn<UserId>(path['user_id']));
      return () => parts.accessRequests.deny(manager, actor, userId);
    },
    handle: async ({ subject: end }) => {
      await end();
      return { status: 204 };
    },
  });

const ownersOf = ({ access }: AccessRequestRoutesParts): readonly Owner[] => [
  {
    base: '/projects/:id/access_requests',
    name: 'Project',
    id: PROJECT_ID,
    view: inProject(access, 'read_project'),
    ask: inProject(access, 'request_access'),
    manage: inProject(access, 'manage_project_members'),
  },
  {
    base: '/groups/:id/access_requests',
    name: 'Group',
    id: GROUP_ID,
    view: inGroup(access, 'read_group'),
    ask: inGroup(access, 'read_group'),
    manage: inGroup(access, 'manage_group_members'),
  },
];

export const createAccessRequestRoutes = (shared: AccessRequestRoutesParts): readonly Route[] =>
  ownersOf(shared)
    .map((owner) => ({ ...shared, owner }))
    .flatMap((parts) => [listRequests(parts), askForAccess(parts), approveRequest(parts), denyRequest(parts)]);
