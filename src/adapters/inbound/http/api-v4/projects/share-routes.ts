import { Type } from '@sinclair/typebox';
import type { GroupLinks } from '../../../../../application/workspace/group-links.js';
import type { GroupLink } from '../../../../../application/workspace/ports/group-links.js';
import type { WorkspaceAccess } from '../../../../../application/workspace/workspace-access.js';
import { NotFound } from '../../../../../domain/shared/domain-error.js';
import { identifierIn, type GroupId } from '../../../../../domain/shared/identifiers.js';
import { identifiedBy, inProject, PROJECT_ID } from '../../kit/guards.js';
import { orNotFound } from '../../kit/or-not-found.js';
import { route, type Route } from '../../route.js';
import { day, identifier, nullable, parameters, pathId, wholeNumber } from '../../validation/parameters.js';

export interface ShareRoutesParts {
  readonly access: WorkspaceAccess;
  readonly groupLinks: GroupLinks;
}
type Parts = ShareRoutesParts;

const TAG = 'Project members';

const GroupLinkSchema = Type.Object({
  id: Type.Integer(),
  project_id: Type.Integer(),
  group_id: Type.Integer(),
  group_access: Type.Integer(),
  expires_at: nullable(Type.String({ format: 'date' })),
});

const present = ({ id, projectId, groupId, accessLevel, expiresAt }: GroupLink) => ({
  id,
  project_id: projectId,
  group_id: groupId,
  group_access: accessLevel,
  expires_at: expiresAt,
});

const shareProject = ({ access, groupLinks }: Parts) => {
  const managed = inProject(access, 'manage_project_members');
  return route({
    method: 'post',
    path: '/projects/:id/share',
    operationId: 'shareProject',
    summary: 'Share a project with a group',
    description:
      'Members of the group, and of the groups above it, get the lower of their level there and `group_access`. 409 where the project is shared with the group already, or is in it; 422 for more than 100 groups.',
    tag: TAG,
    access: 'user',
    parameters: parameters({
      id: PROJECT_ID,
      group_id: identifier<GroupId>('A group that you may see'),
      group_access: wholeNumber('10, 20, 30 or 40'),
      expires_at: Type.Optional(nullable(day('The UTC day on which it ends'))),
    }),
    responses: { 201: GroupLinkSchema },
    guard: {
      ...managed,
      decide: async (context) => {
        const manager = await managed.decide(context);
        const named = identifiedBy<GroupId>(context, 'group_id');
        // What names nothing is left to the validation.
        const group = named && (await access.group(context.actor, String(named), 'read_group').catch(unnamed));
        return { manager, group };
      },
    },
    handle: async ({ subject: { manager, group }, parameters: { group_access: accessLevel, expires_at = null } }) => {
      const link = await groupLinks.share(manager, orNotFound(group), { accessLevel, expiresAt: expires_at });
      return { status: 201, body: present(link) };
    },
  });
};

/** Here what isn't found is not called a group. */
const unnamed = (error: unknown): never => {
  throw error instanceof NotFound ? new NotFound() : error;
};

const unshareProject = ({ access, groupLinks }: Parts) =>
  route({
    method: 'delete',
    path: '/projects/:id/share/:group_id',
    operationId: 'unshareProject',
    summary: 'Share a project with a group no longer',
    tag: TAG,
    access: 'user',
    parameters: parameters({ id: PROJECT_ID, group_id: pathId('Numeric id of the group') }),
    responses: { 204: null },
    guard: inProject(access, 'manage_project_members'),
    handle: async ({ subject, parameters: { group_id } }) => {
      await groupLinks.unshare(subject, orNotFound(identifierIn<GroupId>(group_id), 'Group Link'));
      return { status: 204 };
    },
  });

export const createShareRoutes = (parts: Parts): readonly Route[] => [shareProject(parts), unshareProject(parts)];
