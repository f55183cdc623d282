import type { ForkRepository } from '../../../../../application/workspace/ports/project-relations.js';
import { Conflict } from '../../../../../domain/shared/domain-error.js';
import type { ProjectId } from '../../../../../domain/shared/identifiers.js';
import { isWithin, VISIBILITIES, type Visibility } from '../../../../../domain/shared/visibility.js';
import { opennessOf, type Openness } from '../../../../../domain/workspace/project-features.js';
import type { ImportState } from '../../../../../domain/workspace/fork.js';
import type { Session } from '../session.js';
import type { RowOf } from '../tables.js';

export class KnexForkRepository implements ForkRepository {
  constructor(private readonly session: Session) {}

  async add(projectId: ProjectId, sourceId: ProjectId, state: ImportState, at: Date): Promise<void> {
    const { query, dialect } = this.session;
    // What is left of a source that is gone gives way.
    await query('project_forks').where({ project_id: projectId }).whereNull('source_id').delete();
    const added = (await query('project_forks')
      .insert({
        project_id: projectId,
        source_id: sourceId,
        import_state: state,
        import_error: null,
        created_at: dialect.writeInstant(at),
      })
      .onConflict('project_id')
      .ignore()
      .returning('project_id')) as unknown[];
    if (added.length === 0) throw new Conflict('Project already forked');
  }

  async addImport(projectId: ProjectId, at: Date): Promise<void> {
    const { query, dialect } = this.session;
    await query('project_forks')
      .insert({
        project_id: projectId,
        source_id: null,
        import_state: 'scheduled',
        import_error: null,
        created_at: dialect.writeInstant(at),
      })
      .onConflict('project_id')
      .merge(['import_state', 'import_error']);
  }

  async remove(projectId: ProjectId): Promise<boolean> {
    const related = this.session.query('project_forks').where({ project_id: projectId }).whereNotNull('source_id');
    return (await related.update({ source_id: null })) === 1;
  }

  async setImport(projectId: ProjectId, state: ImportState, error: string | null): Promise<void> {
    await this.session
      .query('project_forks')
      .where({ project_id: projectId })
      .update({ import_state: state, import_error: error });
  }

  async holdSource(projectId: ProjectId): Promise<Openness | undefined> {
    const { dialect } = this.session;
    const [row] = await this.session.run<Pick<RowOf<'projects'>, 'visibility' | 'repository_access_level'>>(
      `select source.visibility, source.repository_access_level from project_forks fork join projects source on source.id = fork.source_id
       where fork.project_id = ? and source.removal_requested_at is null ${dialect.sharedLock('source', 'unchanged')}`,
      [projectId],
    );
    return row && opennessOf(row.visibility, row.repository_access_level);
  }

  async removeMoreVisible(sourceId: ProjectId, { visibility, code }: Openness): Promise<void> {
    const { query } = this.session;
    const beyond = (limit: Visibility): Visibility[] => VISIBILITIES.filter((each) => !isWithin(each, limit));
    const more = query('projects')
      .whereIn('visibility', beyond(visibility))
      .orWhere((open) => void open.where('repository_access_level', 'enabled').whereIn('visibility', beyond(code)));
    await query('project_forks')
      .where({ source_id: sourceId })
      .whereIn('project_id', more.select('id'))
      .update({ source_id: null });
  }
}
