import type { StarterRepository } from '../../../../../application/pipelines/ports/starter-ports.js';
import type { ProjectId } from '../../../../../domain/shared/identifiers.js';
import type { Session } from '../session.js';

export class KnexStarterRepository implements StarterRepository {
  constructor(private readonly session: Session) {}

  async holdAndCount(projectId: ProjectId): Promise<number> {
    await this.session.hold(`starters of ${projectId}`);
    const [row] = await this.session.query('pipeline_starters').where({ project_id: projectId }).count({ all: '*' });
    return Number(row?.all);
  }

  async add(projectId: ProjectId, starterId: ProjectId, at: Date): Promise<boolean> {
    const { query, dialect } = this.session;
    const added = await query('pipeline_starters')
      .insert({ project_id: projectId, starter_id: starterId, created_at: dialect.writeInstant(at) })
      .onConflict(['project_id', 'starter_id'])
      .ignore()
      .returning('starter_id');
    return added.length > 0;
  }

  async remove(projectId: ProjectId, starterId: ProjectId): Promise<boolean> {
    const one = this.session.query('pipeline_starters').where({ project_id: projectId, starter_id: starterId });
    return (await one.delete()) > 0;
  }
}
