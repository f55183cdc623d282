import type { BadgeReader } from '../../../../../application/badges/ports/badge-ports.js';
import type { RenderBadges } from '../../../../../application/badges/render-badges.js';
import type { Actor } from '../../../../../application/shared/actor.js';
import type { PermittedProject } from '../../../../../application/shared/permitted.js';
import type { WorkspaceAccess } from '../../../../../application/workspace/workspace-access.js';
import type { ProjectPermission } from '../../../../../domain/workspace/workspace-policy.js';
import type { WebUrls } from '../../web-urls.js';
import { showBadge, type ShownBadge } from './show-badge.js';

export interface BadgesOfProjectParts {
  readonly access: Pick<WorkspaceAccess, 'alsoWhere'>;
  readonly badgeReader: BadgeReader;
  readonly renderBadges: RenderBadges;
  readonly urls: WebUrls;
}

const MOST_SHOWN = { page: 1, perPage: 100, counted: false } as const;

/** What stands below the title of a project's page: its badges, and those of the groups above it. */
export class BadgesOfProject {
  constructor(private readonly parts: BadgesOfProjectParts) {}

  async show(actor: Actor, place: PermittedProject<ProjectPermission>): Promise<readonly ShownBadge[]> {
    const { access, badgeReader, renderBadges, urls } = this.parts;
    const { project } = place;
    const of = { projectId: project.id, namespaceId: project.namespace.id };
    const { items } = await badgeReader.list({ of, page: MOST_SHOWN });
    if (items.length === 0) return [];
    const readsCode = access.alsoWhere(actor, place, 'read_code') !== undefined;
    const rendered = await renderBadges.forProject(project, readsCode, items);
    return rendered.map((badge) => showBadge(badge, urls.root));
  }
}
