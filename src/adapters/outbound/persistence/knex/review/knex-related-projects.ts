import type { RelatedProjects } from '../../../../../application/review/ports/related-projects.js';
import type { ProjectId } from '../../../../../domain/shared/identifiers.js';
import type { Session } from '../session.js';

export class KnexRelatedProjects implements RelatedProjects {
  constructor(private readonly session: Session) {}

  async areRelated(one: ProjectId, other: ProjectId): Promise<boolean> {
    const rows = await this.session.run(
      `select 1 as found from project_forks fork where (fork.project_id = ? and fork.source_id = ?) or (fork.project_id = ? and fork.source_id = ?)
       union all
       select 1 as found from project_forks fork join project_forks twin on twin.source_id = fork.source_id
       where fork.project_id = ? and twin.project_id = ? limit 1`,
      [one, other, other, one, one, other],
    );
    return rows.length > 0;
  }
}
