import type {
  ProjectionLease,
  StaleRef,
  StaleRefRepository,
} from '../../../../../application/repositories/ports/repository-repositories.js';
import { DEFAULT_BRANCH } from '../../../../../domain/repositories/default-branch.js';
import { branchRef } from '../../../../../domain/repositories/ref-name.js';
import type { Session } from '../session.js';
import { markStale } from './mark-stale.js';

const KEEP = 'refs/keep/';

interface StaleRow {
  readonly name: string;
  readonly version: number | string;
  readonly target: string | null;
}

export class KnexStaleRefRepository implements StaleRefRepository {
  constructor(private readonly session: Session) {}

  async hasAny(repositoryId: number): Promise<boolean> {
    const rows = await this.session.run(
      `select stale_refs.name from stale_refs join repositories on repositories.id = stale_refs.repository_id
       where stale_refs.repository_id = ? and repositories.project_id is not null limit 1`,
      [repositoryId],
    );
    return rows.length > 0;
  }

  async lease({ repositoryId, holder }: ProjectionLease, now: Date, until: Date): Promise<boolean> {
    const { dialect } = this.session;
    const taken = await this.session.run(
      `update repositories set projecting_by = ?, projecting_until = ?
       where id = ? and project_id is not null and (projecting_by is null or projecting_by = ? or projecting_until <= ?)
       returning id`,
      [holder, dialect.writeInstant(until), repositoryId, holder, dialect.writeInstant(now)],
    );
    return taken.length === 1;
  }

  async read(repositoryId: number, limit: number): Promise<readonly StaleRef[]> {
    const rows = await this.session.run<StaleRow>(
      `select stale_refs.name, stale_refs.version, refs.target from stale_refs
       left join refs on refs.repository_id = stale_refs.repository_id and refs.name = stale_refs.name
       where stale_refs.repository_id = ? order by stale_refs.name limit ${limit}`,
      [repositoryId],
    );
    return Promise.all(
      rows.map(async ({ name, version, target }) => ({
        name,
        version: Number(version),
        value: await this.#valueOf(repositoryId, name, target),
      })),
    );
  }

  async written(lease: ProjectionLease, refs: readonly StaleRef[]): Promise<void> {
    // Somebody else may have written newer ones meanwhile, and these have landed on them.
    if (!(await this.#holds(lease)))
      return markStale(
        this.session,
        lease.repositoryId,
        refs.map(({ name }) => name),
      );
    for (const { name, version } of refs)
      await this.session.run('delete from stale_refs where repository_id = ? and name = ? and version = ?', [
        lease.repositoryId,
        name,
        version,
      ]);
  }

  async release({ repositoryId, holder }: ProjectionLease): Promise<void> {
    await this.session.run(
      'update repositories set projecting_by = null, projecting_until = null where id = ? and projecting_by = ?',
      [repositoryId, holder],
    );
  }

  async #holds({ repositoryId, holder }: ProjectionLease): Promise<boolean> {
    const { query, dialect } = this.session;
    const held = query('repositories').where({ id: repositoryId, projecting_by: holder }).select('id');
    return ((await dialect.lockRows(held)) as unknown[]).length === 1;
  }

  async #valueOf(repositoryId: number, name: string, target: string | null): Promise<string | null> {
    const { query } = this.session;
    if (name === 'HEAD') {
      const row = (await query('projects')
        .join('repositories', 'repositories.project_id', 'projects.id')
        .where('repositories.id', repositoryId)
        .first('projects.default_branch')) as { default_branch: string | null } | undefined;
      return branchRef(row?.default_branch ?? DEFAULT_BRANCH);
    }
    if (!name.startsWith(KEEP)) return target;
    const id = Number(name.slice(KEEP.length));
    const kept = (await query('kept_tips').where({ id, repository_id: repositoryId }).first('target')) as
      { target: string } | undefined;
    return kept?.target ?? null;
  }
}
