import type { StarRepository } from '../../../../../application/workspace/ports/project-relations.js';
import type { ProjectId, UserId } from '../../../../../domain/shared/identifiers.js';
import type { Session } from '../session.js';

export class KnexStarRepository implements StarRepository {
  constructor(private readonly session: Session) {}

  async add(projectId: ProjectId, userId: UserId, at: Date): Promise<boolean> {
    const { query, dialect } = this.session;
    const rows = (await query('project_stars')
      .insert({ project_id: projectId, user_id: userId, created_at: dialect.writeInstant(at) })
      .onConflict(['project_id', 'user_id'])
      .ignore()
      .returning('project_id')) as unknown[];
    return rows.length === 1;
  }

  async remove(projectId: ProjectId, userId: UserId): Promise<boolean> {
    const removed = await this.session
      .query('project_stars')
      .where({ project_id: projectId, user_id: userId })
      .delete();
    return removed === 1;
  }
}
