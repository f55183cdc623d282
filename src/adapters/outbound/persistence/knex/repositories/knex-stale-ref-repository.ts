import type {
  ProjectionLease,
  StaleRef,
  StaleRefRepository,
} from '../../../../../application/repositories/ports/repository-repositories.js';
import { DEFAULT_BRANCH } from '../../../../../domain/repositories/default-branch.js';
import { branchRef } from '../../../../../domain/repositories/ref-name.js';
import type { Session } from '../session.js';

const KEEP = 'refs/keep/';

interface StaleRow {
  readonly name: string;
  readonly version: number | string;
  readonly target: string | null;
}

export class KnexStaleRefRepository implements StaleRefRepository {
  constructor(private readonly session: Session) {}

  async hasAny(repositoryId: number): Promise<boolean> {
    const row = await this.session.query('stale_refs').where({ repository_id: repositoryId }).first('name');
    return row !== undefined;
  }

  async lease({ repositoryId, holder }: ProjectionLease, now: Date, until: Date): Promise<boolean> {
    const { query, dialect } = this.session;
    const taken = await query('repositories')
      .where({ id: repositoryId })
      .where((free) => {
        void free
          .whereNull('projecting_by')
          .orWhere('projecting_by', holder)
          .orWhere('projecting_until', '<=', dialect.writeInstant(now));
      })
      .update({ projecting_by: holder, projecting_until: dialect.writeInstant(until) });
    return taken === 1;
  }

  async read(repositoryId: number, limit: number): Promise<readonly StaleRef[]> {
    const rows = (await this.session
      .query('stale_refs')
      .leftJoin('refs', (join) => {
        join.on('refs.repository_id', 'stale_refs.repository_id').andOn('refs.name', 'stale_refs.name');
      })
      .where('stale_refs.repository_id', repositoryId)
      .orderBy('stale_refs.name')
      .limit(limit)
      .select({ name: 'stale_refs.name', version: 'stale_refs.version', target: 'refs.target' })) as StaleRow[];
    return Promise.all(
      rows.map(async ({ name, version, target }) => ({
        name,
        version: Number(version),
        value: await this.#valueOf(repositoryId, name, target),
      })),
    );
  }

  async written(lease: ProjectionLease, refs: readonly StaleRef[]): Promise<void> {
    const { query } = this.session;
    if (!(await this.#holds(lease))) return;
    for (const { name, version } of refs)
      await query('stale_refs').where({ repository_id: lease.repositoryId, name, version }).delete();
  }

  async release({ repositoryId, holder }: ProjectionLease): Promise<void> {
    await this.session
      .query('repositories')
      .where({ id: repositoryId, projecting_by: holder })
      .update({ projecting_by: null, projecting_until: null });
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
