import type {
  CodeCopy,
  CodeCopyRepository,
  PoolToMake,
  RefsToCopy,
} from '../../../../../application/repositories/ports/code-copies.js';
import type { Repository } from '../../../../../application/repositories/ports/repository-repositories.js';
import { branchRef, tagRef } from '../../../../../domain/repositories/ref-name.js';
import type { ProjectId } from '../../../../../domain/shared/identifiers.js';
import type { Session } from '../session.js';
import { markStale } from './mark-stale.js';

/** Above every character of UTF-8, byte by byte. */
const LAST = '\u{10ffff}';
/** The first and the last name of each kind. */
const ALL = [branchRef(''), tagRef('')].map((folder) => [folder, folder + LAST]);

export class KnexCodeCopyRepository implements CodeCopyRepository {
  constructor(
    private readonly session: Session,
    private readonly noteCopy: () => void,
  ) {}

  async add({ projectId, sourceId, branch }: Omit<CodeCopy, 'attempts'>, at: Date): Promise<void> {
    const { query, dialect } = this.session;
    await query('code_copies').insert({
      project_id: projectId,
      source_id: sourceId,
      branch,
      attempts: 0,
      due_at: dialect.writeInstant(at),
    });
    this.noteCopy();
  }

  async lease(now: Date, until: Date): Promise<CodeCopy | undefined> {
    const { query, dialect } = this.session;
    const due = query('code_copies').where('due_at', '<=', dialect.writeInstant(now)).orderBy('due_at').limit(1);
    const [row] = await dialect.holdRows(due);
    if (row === undefined) return undefined;
    const attempts = row.attempts + 1;
    await query('code_copies')
      .where({ project_id: row.project_id })
      .update({ due_at: dialect.writeInstant(until), attempts });
    return { projectId: row.project_id, sourceId: row.source_id, branch: row.branch, attempts };
  }

  async postpone(projectId: ProjectId, dueAt: Date): Promise<void> {
    const { query, dialect } = this.session;
    await query('code_copies')
      .where({ project_id: projectId })
      .update({ due_at: dialect.writeInstant(dueAt) });
  }

  async end(projectId: ProjectId): Promise<boolean> {
    return (await this.session.query('code_copies').where({ project_id: projectId }).delete()) === 1;
  }

  async joinPool(member: Repository, source: Repository, { store, youngerThan, at }: PoolToMake): Promise<string> {
    const { query, dialect } = this.session;
    // Two that fork at once make one pool.
    const [held] = await dialect.lockRows(query('repositories').where({ id: source.id }));
    const open = query('object_pools')
      .whereNull('removal_requested_at')
      .where((one) => {
        void one.where((young) => {
          void young.where({ source_id: source.id }).where('created_at', '>', dialect.writeInstant(youngerThan));
        });
        if (held?.pool_id != null) void one.orWhere({ id: held.pool_id });
      })
      .orderBy('id', 'desc')
      .limit(1);
    const [found] = await dialect.lockRows(open);
    const pool = found ?? (await this.#addPool(source, store, at));
    await query('repositories').where({ id: member.id }).update({ pool_id: pool.id });
    return pool.store;
  }

  async versionOf({ id }: Repository): Promise<number> {
    const row = await this.session.query('repositories').where({ id }).first('refs_version');
    return Number(row?.refs_version ?? 0);
  }

  async copyRefs(source: Repository, target: Repository, { version, only }: RefsToCopy): Promise<boolean> {
    const { query, dialect } = this.session;
    const ids = [source.id, target.id];
    const rows = await dialect.lockRows(query('repositories').whereIn('id', ids).orderBy('id'));
    const from = rows.find(({ id }) => id === source.id);
    if (from === undefined || Number(from.refs_version) !== version) return false;
    for (const [first, last] of only === undefined ? ALL : [[branchRef(only.branch), branchRef(only.branch)]])
      await this.session.run(
        `insert into refs (repository_id, name, target, peeled, committed_at, version)
         select cast(? as bigint), name, target, peeled, committed_at,
                (select refs_version + 1 from repositories where id = ?)
         from refs where repository_id = ? and name >= ? and name <= ?
         on conflict (repository_id, name) do nothing`,
        [target.id, target.id, source.id, first, last],
      );
    await markStale(this.session, target.id, ['HEAD']);
    await this.session.run(
      `insert into stale_refs (repository_id, name, version)
       select refs.repository_id, refs.name, repositories.refs_version
       from refs join repositories on repositories.id = refs.repository_id where repositories.id = ?
       on conflict (repository_id, name) do update set version = excluded.version`,
      [target.id],
    );
    const bytes = only?.bytes ?? from.size_bytes;
    await query('repositories').where({ id: target.id }).update({ size_bytes: bytes, unpacked_bytes: bytes });
    return true;
  }

  async closePools(at: Date, limit: number): Promise<readonly { readonly id: number; readonly store: string }[]> {
    const { query, dialect } = this.session;
    const members = () =>
      query('repositories').whereRaw('repositories.pool_id = object_pools.id').select(query.raw('1'));
    const held = await dialect.holdRows(query('object_pools').whereNotExists(members()).limit(limit));
    if (held.length === 0) return [];
    const ids = held.map(({ id }) => id);
    // Asked once more now that nobody can join: somebody may have joined just before they were held.
    return query('object_pools')
      .whereIn('id', ids)
      .whereNotExists(members())
      .update({ removal_requested_at: dialect.writeInstant(at) })
      .returning(['id', 'store']);
  }

  async forgetPool(id: number): Promise<void> {
    await this.session.query('object_pools').where({ id }).delete();
  }

  async #addPool(
    source: Repository,
    store: string,
    at: Date,
  ): Promise<{ readonly id: number; readonly store: string }> {
    const { query, dialect } = this.session;
    const [row] = await query('object_pools')
      .insert({ store, source_id: source.id, created_at: dialect.writeInstant(at) })
      .returning('id');
    return { id: row!.id, store };
  }
}
