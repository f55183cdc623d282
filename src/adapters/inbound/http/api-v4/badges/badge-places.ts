import type { BadgeHolder } from '../../../../../application/badges/badges.js';
import type { BadgeReader, BadgesOf } from '../../../../../application/badges/ports/badge-ports.js';
import { asWritten, type RenderBadges, type RenderedUrls } from '../../../../../application/badges/render-badges.js';
import type { Badges } from '../../../../../application/badges/badges.js';
import type { Actor } from '../../../../../application/shared/actor.js';
import type { PermittedGroup, PermittedProject } from '../../../../../application/shared/permitted.js';
import type { WorkspaceAccess } from '../../../../../application/workspace/workspace-access.js';
import type { BadgeFields } from '../../../../../domain/badges/badge.js';
import type { GroupPermission, ProjectPermission } from '../../../../../domain/workspace/workspace-policy.js';
import { GROUP_ID, inGroup, inProject, PROJECT_ID } from '../../kit/guards.js';
import type { Guard } from '../../route.js';

export interface BadgeRoutesParts {
  readonly access: WorkspaceAccess;
  readonly badges: Badges;
  readonly badgeReader: BadgeReader;
  readonly renderBadges: RenderBadges;
}

type Place = PermittedProject<ProjectPermission> | PermittedGroup<GroupPermission>;

/** The same routes for projects and for groups. */
export interface Collection {
  readonly path: '/projects/:id/badges' | '/groups/:id/badges';
  /** As in `listProjectBadges`. */
  readonly name: 'Project' | 'Group';
  readonly id: typeof PROJECT_ID;
  readonly readers: Guard<Place>;
  readonly holders: Guard<BadgeHolder>;
}

export const collectionsOf = (access: WorkspaceAccess): readonly Collection[] => [
  {
    path: '/projects/:id/badges',
    name: 'Project',
    id: PROJECT_ID,
    readers: inProject(access, 'read_project'),
    holders: inProject(access, 'manage_badges'),
  },
  {
    path: '/groups/:id/badges',
    name: 'Group',
    id: GROUP_ID,
    readers: inGroup(access, 'read_group'),
    holders: inGroup(access, 'manage_group_badges'),
  },
];

/** Whose badges are asked for: a project has those of its groups, too. */
export const badgesOf = (place: Place): BadgesOf =>
  'project' in place
    ? { projectId: place.project.id, namespaceId: place.project.namespace.id }
    : { groupId: place.group.id };

/** As they are for a project; those of a group as they were written. */
export const renderFor = async <Shown extends BadgeFields>(
  { access, renderBadges }: Pick<BadgeRoutesParts, 'access' | 'renderBadges'>,
  actor: Actor,
  place: Place,
  badges: readonly Shown[],
): Promise<readonly (Shown & RenderedUrls)[]> => {
  if (!('project' in place)) return badges.map(asWritten);
  const readsCode = access.alsoWhere(actor, place, 'read_code') !== undefined;
  return renderBadges.forProject(place.project, readsCode, badges);
};
