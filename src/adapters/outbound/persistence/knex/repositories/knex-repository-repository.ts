import type {
  HeldRepository,
  Repository,
  RepositoryRepository,
} from '../../../../../application/repositories/ports/repository-repositories.js';
import type { ProjectId } from '../../../../../domain/shared/identifiers.js';
import type { Session } from '../session.js';
import type { RowOf } from '../tables.js';
import { markStale } from './mark-stale.js';

type RepositoryRow = RowOf<'repositories'>;

/** What `toRepository` reads. */
export const REPOSITORY_COLUMNS = ['id', 'project_id', 'store', 'size_bytes', 'refs_version'] as const;

/** Of a repository that has its project still. */
export const toRepository = (row: Pick<RepositoryRow, (typeof REPOSITORY_COLUMNS)[number]>): Repository => ({
  id: row.id,
  projectId: row.project_id!,
  store: row.store,
  sizeBytes: row.size_bytes,
  refsVersion: row.refs_version,
});

export class KnexRepositoryRepository implements RepositoryRepository {
  constructor(private readonly session: Session) {}

  async open(projectId: ProjectId, store: string, at: Date): Promise<Repository | undefined> {
    const { query, dialect } = this.session;
    const project: unknown = await query('projects')
      .where({ id: projectId })
      .whereNull('removal_requested_at')
      .first('id');
    if (project === undefined) return undefined;
    await query('repositories')
      .insert({
        project_id: projectId,
        store,
        refs_version: 0,
        size_bytes: 0,
        unpacked_pushes: 0,
        unpacked_bytes: 0,
        created_at: dialect.writeInstant(at),
      })
      .onConflict('project_id')
      .ignore();
    const row = (await query('repositories').where({ project_id: projectId }).first()) as RepositoryRow | undefined;
    return row && toRepository(row);
  }

  async take(projectId: ProjectId): Promise<HeldRepository | undefined> {
    const { rowLock } = this.session.dialect;
    const [project] = await this.session.run<{ default_branch: string | null; archived: boolean | number }>(
      `select default_branch, archived from projects where id = ? and removal_requested_at is null ${rowLock}`,
      [projectId],
    );
    if (project === undefined) return undefined;
    const [row] = await this.session.run<RepositoryRow>(
      `select ${REPOSITORY_COLUMNS.join(', ')} from repositories where project_id = ? ${rowLock}`,
      [projectId],
    );
    return row && { ...toRepository(row), defaultBranch: project.default_branch, archived: Boolean(project.archived) };
  }

  async recordPush(id: number, addedBytes: number, at: Date): Promise<void> {
    const pushedAt = this.session.dialect.writeInstant(at);
    await this.session.run(
      `update repositories set pushed_at = ?, size_bytes = size_bytes + ?, unpacked_bytes = unpacked_bytes + ?,
         unpacked_pushes = unpacked_pushes + 1
       where id = ?`,
      [pushedAt, addedBytes, addedBytes, id],
    );
    await this.session.run(
      'update projects set last_activity_at = ? where id in (select project_id from repositories where id = ?)',
      [pushedAt, id],
    );
  }

  async setDefaultBranch({ id, projectId }: Pick<Repository, 'id' | 'projectId'>, branch: string): Promise<void> {
    await this.session.query('projects').where({ id: projectId }).update({ default_branch: branch });
    await markStale(this.session, id, ['HEAD']);
  }

  async forget(id: number): Promise<void> {
    await this.session.query('repositories').where({ id }).whereNull('project_id').delete();
  }
}
