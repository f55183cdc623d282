import type { GroupLinkReader, SharedGroup } from '../../../../../application/workspace/ports/group-links.js';
import type { Viewer } from '../../../../../application/workspace/ports/workspace-readers.js';
import type { GroupId, ProjectId } from '../../../../../domain/shared/identifiers.js';
import type { Session } from '../session.js';
import { keptForViewers } from '../visibility/kept-for-viewers.js';
import { unexpired } from '../visibility/memberships.js';
import { visibleGroups } from '../visibility/visible.js';

interface SharedGroupRow {
  readonly group_id: GroupId;
  readonly access_level: number;
  readonly expires_at: string | null;
  readonly name: string | null;
  readonly full_path: string | null;
}

const linksOf = keptForViewers<SharedGroupRow>((query, viewer, among) => {
  const linked = query('project_group_links').where(among('project_id')).select('group_id');
  const seen = visibleGroups(query, viewer)
    .whereIn('namespaces.id', linked)
    .select('namespaces.id', 'namespaces.name', 'namespaces.full_path');
  return query('project_group_links')
    .leftJoin(seen.as('seen'), 'seen.id', 'project_group_links.group_id')
    .where(among('project_group_links.project_id'))
    .andWhere(unexpired('project_group_links', viewer.today))
    .orderBy('project_group_links.id')
    .select(
      'project_group_links.group_id',
      'project_group_links.access_level',
      'project_group_links.expires_at',
      'seen.name',
      'seen.full_path',
    );
});

export class KnexGroupLinkReader implements GroupLinkReader {
  constructor(private readonly session: Session) {}

  async linksOf(viewer: Viewer, projectId: ProjectId): Promise<readonly SharedGroup[]> {
    const rows = await linksOf(this.session, viewer, [projectId]);
    return rows.map(({ group_id: groupId, access_level: accessLevel, expires_at: expiresAt, name, full_path }) => ({
      groupId,
      accessLevel,
      expiresAt,
      group: name === null || full_path === null ? undefined : { name, fullPath: full_path },
    }));
  }
}
