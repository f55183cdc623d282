import type { Knex } from 'knex';
import type {
  RefQuery,
  RefReader,
  ResolvedRef,
  Standing,
  UnkeptStore,
} from '../../../../../application/repositories/ports/ref-reader.js';
import type { Ref, Repository } from '../../../../../application/repositories/ports/repository-repositories.js';
import type { ObjectId } from '../../../../../domain/repositories/object-id.js';
import { matchesPattern } from '../../../../../domain/repositories/protected-ref.js';
import { branchRef, refPartsOf, tagRef } from '../../../../../domain/repositories/ref-name.js';
import type { ProjectId } from '../../../../../domain/shared/identifiers.js';
import type { Page } from '../../../../../domain/shared/page.js';
import { pageOfRows } from '../page-of-rows.js';
import type { FindAll, FindFirst, Session } from '../session.js';
import type { RowOf } from '../tables.js';
import { REPOSITORY_COLUMNS, toRepository } from './knex-repository-repository.js';

const BATCH = 1_000;
const FOLDERS = { branch: branchRef(''), tag: tagRef('') } as const;
/** Above every character of UTF-8, byte by byte. */
const LAST = '\u{10ffff}';

type RepositoryRow = Pick<RowOf<'repositories'>, (typeof REPOSITORY_COLUMNS)[number]>;
type StandingRow = Pick<RowOf<'projects'>, 'default_branch' | 'archived'> & { readonly has_branches: boolean | number };
type NamedRef = { readonly repositoryId: number; readonly name: string };
/** What a name may mean: itself where it is a full one, else a branch, else a tag. */
type Meanings = { readonly full: string; readonly branch: string; readonly tag: string };
type RefBeside = { readonly [Column in keyof RefRow as `ref_${Column}`]: RefRow[Column] | null };

// By name: `*` would change its meaning under a statement that is kept prepared.
const REF_COLUMNS = ['name', 'target', 'peeled', 'committed_at', 'version'] as const;

type RefRow = Pick<RowOf<'refs'>, (typeof REF_COLUMNS)[number]>;

const meaningsOf = (name: string): Meanings => {
  const [branch, tag] = [branchRef(name), tagRef(name)];
  return { full: refPartsOf(name) === undefined ? branch : name, branch, tag };
};

const namesOf = ({ full, branch, tag }: Meanings): string[] => [full, branch, tag];

/** The columns of a ref, read beside its repository. */
const refOf = (row: RefBeside): RefRow => ({
  name: row.ref_name!,
  target: row.ref_target!,
  peeled: row.ref_peeled,
  committed_at: row.ref_committed_at,
  version: row.ref_version!,
});

/** A pattern for `like … escape '\'`: the search of branches anchors itself by `^` and `$`. */
const searchPattern = (folder: string, search: string): string => {
  const begins = search.startsWith('^');
  const ends = search.endsWith('$');
  const text = search.slice(begins ? 1 : 0, ends ? -1 : undefined).replace(/[\\%_]/g, '\\$&');
  return `${folder}${begins ? '' : '%'}${text}${ends ? '' : '%'}`;
};

export class KnexRefReader implements RefReader {
  readonly #findRepository: FindFirst<RepositoryRow>;
  readonly #findStanding: FindFirst<StandingRow>;
  readonly #findNamed: FindAll<RefRow, NamedRef>;
  readonly #findMeant: FindAll<RefRow, Meanings & { readonly repositoryId: number }>;
  readonly #findMeantIn: FindAll<RepositoryRow & RefBeside, Meanings & { readonly projectId: ProjectId }>;

  constructor(private readonly session: Session) {
    this.#findRepository = session.prepare('bigint', (query, projectId) =>
      query('repositories').where('project_id', projectId).select(REPOSITORY_COLUMNS),
    );
    this.#findStanding = session.prepare('bigint', (query, projectId) => {
      const branches = query('refs')
        .whereRaw('refs.repository_id = repositories.id')
        .where('refs.name', '>=', FOLDERS.branch)
        .where('refs.name', '<', FOLDERS.branch + LAST);
      return query('projects')
        .join('repositories', 'repositories.project_id', 'projects.id')
        .where('projects.id', projectId)
        .whereNull('projects.removal_requested_at')
        .select('projects.id', 'projects.default_branch', 'projects.archived')
        .select(query.raw('exists ? as has_branches', [branches.select('refs.name')]));
    });
    this.#findNamed = session.keep(['repositoryId', 'name'], (query, { repositoryId, name }) =>
      query('refs').where({ repository_id: repositoryId, name }).select(REF_COLUMNS),
    );
    this.#findMeant = session.keep(['repositoryId', 'full', 'branch', 'tag'], (query, { repositoryId, ...names }) =>
      query('refs').where({ repository_id: repositoryId }).whereIn('name', namesOf(names)).select(REF_COLUMNS),
    );
    this.#findMeantIn = session.keep(['projectId', 'full', 'branch', 'tag'], (query, { projectId, ...names }) =>
      query('repositories')
        .leftJoin('refs', (join) => {
          void join.on('refs.repository_id', 'repositories.id').onIn('refs.name', namesOf(names));
        })
        .where('repositories.project_id', projectId)
        .select(REPOSITORY_COLUMNS.map((column) => `repositories.${column}`))
        .select(REF_COLUMNS.map((column) => `refs.${column} as ref_${column}`)),
    );
  }

  async findRepository(projectId: ProjectId): Promise<Repository | undefined> {
    const row = await this.#findRepository(projectId);
    return row && toRepository(row);
  }

  async standing(projectId: ProjectId): Promise<Standing | undefined> {
    const row = await this.#findStanding(projectId);
    if (row === undefined) return undefined;
    return { defaultBranch: row.default_branch, archived: Boolean(row.archived), empty: !row.has_branches };
  }

  async isBeingCopied(projectId: ProjectId): Promise<boolean> {
    const rows = await this.session.run(
      `select project_id from code_copies where project_id = ?
       union all select project_id from code_imports where project_id = ? and due_at is not null`,
      [projectId, projectId],
    );
    return rows.length > 0;
  }

  async findRef(repositoryId: number, name: string): Promise<Ref | undefined> {
    const [row] = await this.#findNamed({ repositoryId, name });
    return row && this.#toRef(row);
  }

  async findRefs(repositoryId: number, names: readonly string[]): Promise<readonly Ref[]> {
    const rows = (await this.session
      .query('refs')
      .where({ repository_id: repositoryId })
      .whereIn('name', [...names])) as RefRow[];
    return rows.map((row) => this.#toRef(row));
  }

  async resolve(repositoryId: number, name: string): Promise<Ref | undefined> {
    const rows = await this.#findMeant({ repositoryId, ...meaningsOf(name) });
    return this.#meant(repositoryId, rows, name);
  }

  async resolveIn(projectId: ProjectId, name: string): Promise<ResolvedRef | undefined> {
    const rows = await this.#findMeantIn({ projectId, ...meaningsOf(name) });
    const [first] = rows;
    if (first === undefined) return undefined;
    const refs = rows.flatMap((row) => (row.ref_name === null ? [] : [refOf(row)]));
    return { repository: toRepository(first), ref: await this.#meant(first.id, refs, name) };
  }

  /** The ref that is meant by a name, of those that are there. */
  async #meant(repositoryId: number, rows: readonly RefRow[], name: string): Promise<Ref | undefined> {
    const meanings = meaningsOf(name);
    const named = (wanted: string) => rows.find((row) => row.name === wanted);
    const [full, branch, tag] = [named(meanings.full), named(meanings.branch), named(meanings.tag)];
    const twins = full === branch && branch !== undefined && tag !== undefined;
    const row = twins && (await this.#isOfTag(repositoryId, name)) ? tag : (full ?? branch ?? tag);
    return row && this.#toRef(row);
  }

  /** Whether a name is protected as that of a tag, and not as that of a branch. */
  async #isOfTag(repositoryId: number, name: string): Promise<boolean> {
    const { query } = this.session;
    const project = query('repositories').where({ id: repositoryId }).select('project_id');
    const matches = (rules: readonly { readonly name: string }[]) =>
      rules.some((rule) => matchesPattern(name, rule.name));
    if (!matches(await query('protected_tags').whereIn('project_id', project).select('name'))) return false;
    return !matches(await query('protected_branches').whereIn('project_id', project.clone()).select('name'));
  }

  async *advertised(repositoryId: number, prefixes: readonly string[] = ['']): AsyncGenerator<readonly Ref[]> {
    for (let after = ''; ;) {
      const rows = (await this.session
        .query('refs')
        .where({ repository_id: repositoryId })
        .where('name', '>', after)
        .where((among) => {
          for (const prefix of prefixes)
            void among.orWhere((range) => void range.where('name', '>=', prefix).where('name', '<', prefix + LAST));
        })
        .orderBy('name')
        .limit(BATCH)) as RefRow[];
      if (rows.length > 0) yield rows.map((row) => this.#toRef(row));
      if (rows.length < BATCH) return;
      after = rows.at(-1)!.name;
    }
  }

  list({ repositoryId, kind, search = '', orderBy, sort, page }: RefQuery): Promise<Page<Ref>> {
    const { query } = this.session;
    const folder = FOLDERS[kind];
    const list = query('refs')
      .where({ repository_id: repositoryId })
      .where('name', '>=', folder)
      .where('name', '<', folder + LAST);
    if (search !== '') void list.whereRaw("name like ? escape '\\'", [searchPattern(folder, search)]);
    void (orderBy === 'name' ? list.orderBy('name', sort) : this.#byTime(list, sort));
    return pageOfRows(this.session, list, page, (row: RefRow) => this.#toRef(row));
  }

  async pointingAt(repositoryId: number, ids: readonly ObjectId[]): Promise<readonly Ref[]> {
    const rows = (await this.session
      .query('refs')
      .where({ repository_id: repositoryId })
      .where((either) => {
        void either.whereIn('target', [...ids]).orWhereIn('peeled', [...ids]);
      })
      .orderBy('name')) as RefRow[];
    return rows.map((row) => this.#toRef(row));
  }

  async withBranches(projectIds: readonly ProjectId[]): Promise<ReadonlySet<ProjectId>> {
    if (projectIds.length === 0) return new Set();
    // Every list of projects asks it: without the cost of building it.
    const rows = await this.session.run<{ project_id: ProjectId }>(
      `select project_id from repositories
        where project_id in (${projectIds.map(() => '?').join(', ')}) and exists (
          select 1 from refs where refs.repository_id = repositories.id and refs.name >= ? and refs.name < ?)`,
      [...projectIds, FOLDERS.branch, FOLDERS.branch + LAST],
    );
    return new Set(rows.map((row) => row.project_id));
  }

  orphans(now: Date, limit: number): Promise<readonly UnkeptStore[]> {
    const { query, dialect } = this.session;
    return query('repositories')
      .whereNull('project_id')
      .where((free) => {
        void free.whereNull('projecting_until').orWhere('projecting_until', '<=', dialect.writeInstant(now));
      })
      .limit(limit)
      .select<UnkeptStore[]>('id', 'store');
  }

  stale(limit: number): Promise<readonly UnkeptStore[]> {
    const { query } = this.session;
    return query('repositories')
      .whereIn('id', query('stale_refs').distinct('repository_id'))
      .whereNotNull('project_id')
      .limit(limit)
      .select<UnkeptStore[]>('id', 'store');
  }

  #byTime(list: Knex.QueryBuilder, sort: 'asc' | 'desc'): Knex.QueryBuilder {
    return list.orderBy([
      { column: 'committed_at', order: sort },
      { column: 'name', order: 'asc' },
    ]);
  }

  #toRef({ name, target, peeled, committed_at, version }: RefRow): Ref {
    return {
      name,
      target,
      peeled,
      version,
      committedAt: committed_at === null ? null : this.session.dialect.readInstant(committed_at),
    };
  }
}
