import type { StarterReader } from '../../../../../application/pipelines/ports/starter-ports.js';
import type { Viewer } from '../../../../../application/workspace/ports/workspace-readers.js';
import type { ProjectId } from '../../../../../domain/shared/identifiers.js';
import type { Session } from '../session.js';
import { visibleProjects } from '../visibility/visible.js';

export class KnexStarterReader implements StarterReader {
  constructor(private readonly session: Session) {}

  async has(projectId: ProjectId, starterId: ProjectId): Promise<boolean> {
    const one = this.session.query('pipeline_starters').where({ project_id: projectId, starter_id: starterId });
    return (await one.first('starter_id')) !== undefined;
  }

  async visibleOf(projectId: ProjectId, viewer: Viewer): Promise<readonly ProjectId[]> {
    const rows = (await visibleProjects(this.session.query, viewer, (list) =>
      list.from('pipeline_starters').join('projects', 'projects.id', 'pipeline_starters.starter_id'),
    )
      .where('pipeline_starters.project_id', projectId)
      .orderBy('projects.id')
      .select('projects.id')) as { readonly id: ProjectId }[];
    return rows.map(({ id }) => id);
  }
}
