import type {
  CheckedRepository,
  RefsOfRows,
  RepositoryCheckRepository,
} from '../../../../../application/repositories/ports/repository-checks.js';
import type { Session } from '../session.js';

export class KnexRepositoryCheckRepository implements RepositoryCheckRepository {
  constructor(private readonly session: Session) {}

  async due(
    { after, since, path }: { readonly after: number; readonly since: Date | null; readonly path?: string },
    limit: number,
  ): Promise<readonly CheckedRepository[]> {
    const { query, dialect } = this.session;
    const rows = query('repositories')
      .join('projects', 'projects.id', 'repositories.project_id')
      // What waits for the code of its source is not to be whole yet.
      .whereNotExists(query('code_copies').whereRaw('code_copies.project_id = projects.id').select(query.raw('1')))
      .where('repositories.id', '>', after)
      .orderBy('repositories.id')
      .limit(limit)
      .select({ id: 'repositories.id', store: 'repositories.store', path: 'projects.full_path' });
    if (path !== undefined) void rows.where('projects.full_path_key', path.toLowerCase());
    if (since !== null)
      void rows.where((due) => {
        void due
          .whereNull('repositories.checked_at')
          .orWhere('repositories.checked_at', '<', dialect.writeInstant(since));
      });
    return (await rows) as CheckedRepository[];
  }

  async refsOf(repositoryId: number): Promise<RefsOfRows> {
    const { query } = this.session;
    const row = (await query('repositories').where({ id: repositoryId }).first('refs_version')) as
      { refs_version: number } | undefined;
    const refs = (await query('refs').where({ repository_id: repositoryId }).select('name', 'target')) as {
      name: string;
      target: string;
    }[];
    const kept = (await query('kept_tips').where({ repository_id: repositoryId }).select('id', 'target')) as {
      id: number;
      target: string;
    }[];
    const targets = new Map(refs.map(({ name, target }) => [name, target]));
    for (const { id, target } of kept) targets.set(`refs/keep/${id}`, target);
    const stale: unknown = await query('stale_refs').where({ repository_id: repositoryId }).first('name');
    return { version: Number(row?.refs_version ?? 0), targets, stale: stale !== undefined };
  }

  async foundWell(repositoryId: number, at: Date): Promise<void> {
    const { query, dialect } = this.session;
    await query('repositories')
      .where({ id: repositoryId })
      .update({ checked_at: dialect.writeInstant(at) });
  }
}
