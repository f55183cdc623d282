import type { GroupLink, GroupLinkRepository } from '../../../../../application/workspace/ports/group-links.js';
import { Conflict } from '../../../../../domain/shared/domain-error.js';
import type { GroupId, ProjectId } from '../../../../../domain/shared/identifiers.js';
import { onUniqueViolation } from '../dialect/on-unique-violation.js';
import type { Session } from '../session.js';

const REFUSALS = {
  project_group_links_project_id_group_id_unique: () => new Conflict('The project is shared with this group already'),
};

export class KnexGroupLinkRepository implements GroupLinkRepository {
  constructor(private readonly session: Session) {}

  async hold(projectId: ProjectId): Promise<void> {
    await this.session.hold(`groups that ${projectId} is shared with`);
  }

  async count(projectId: ProjectId): Promise<number> {
    const [row] = await this.session.query('project_group_links').where({ project_id: projectId }).count({ all: '*' });
    return Number(row?.all);
  }

  async add(link: Omit<GroupLink, 'id'> & { readonly createdAt: Date }): Promise<number> {
    const insert = this.session
      .query('project_group_links')
      .insert({
        project_id: link.projectId,
        group_id: link.groupId,
        access_level: link.accessLevel,
        expires_at: link.expiresAt,
        created_at: this.session.dialect.writeInstant(link.createdAt),
      })
      .returning('id');
    const [row] = (await onUniqueViolation(insert, REFUSALS)) as { id: number }[];
    return row!.id;
  }

  async remove(projectId: ProjectId, groupId: GroupId): Promise<boolean> {
    const link = this.session.query('project_group_links').where({ project_id: projectId, group_id: groupId });
    return (await link.delete()) > 0;
  }

  async removeExpired(
    today: string,
    limit: number,
    of?: ProjectId,
  ): Promise<readonly Pick<GroupLink, 'projectId' | 'groupId'>[]> {
    const { query, dialect } = this.session;
    const ended = query('project_group_links').where('expires_at', '<=', today).orderBy('id').limit(limit);
    if (of !== undefined) void ended.where({ project_id: of });
    const rows = (await dialect.lockRows(
      ended.select({ id: 'id', projectId: 'project_id', groupId: 'group_id' }),
    )) as Pick<GroupLink, 'id' | 'projectId' | 'groupId'>[];
    const ids = rows.map(({ id }) => id);
    if (ids.length > 0) await query('project_group_links').whereIn('id', ids).delete();
    return rows;
  }
}
