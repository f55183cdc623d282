import type { Knex } from 'knex';
import type {
  SubjectDetails,
  SubjectRepository,
} from '../../../../../application/collaboration/ports/subject-ports.js';
import { together } from '../../../../../application/shared/together.js';
import type { Viewer } from '../../../../../application/workspace/ports/workspace-readers.js';
import type { ProjectId } from '../../../../../domain/shared/identifiers.js';
import type { Subject } from '../../../../../domain/shared/subject.js';
import type { Session } from '../session.js';
import type { StoredSubjectKind } from './subject-kind.js';

type Row = Pick<Subject, 'id' | 'kind'>;
type WithId = Pick<Subject, 'id'>;

/** For repositories and readers alike. */
export class KnexSubjects implements SubjectRepository {
  constructor(
    private readonly session: Session,
    private readonly kinds: readonly StoredSubjectKind[],
  ) {}

  async find(id: number): Promise<SubjectDetails | undefined> {
    return (await this.findAll([id])).get(id);
  }

  async findAll(ids: readonly number[]): Promise<ReadonlyMap<number, SubjectDetails>> {
    if (ids.length === 0) return new Map();
    const rows = await this.session
      .query('subjects')
      .whereIn('id', [...ids])
      .select('id', 'kind');
    return this.#read(rows);
  }

  /** Those of some that the viewer may see, by their ids. */
  async findVisible(viewer: Viewer, ids: readonly number[]): Promise<ReadonlyMap<number, SubjectDetails>> {
    return this.#read([...(await this.visibleOf(viewer, ids)).values()]);
  }

  /** The ids of those of some that the viewer may see, with their kinds. */
  async visibleOf(viewer: Viewer, ids: readonly number[]): Promise<ReadonlyMap<number, Row>> {
    const named = (): Knex.QueryBuilder => this.session.query('subjects').whereIn('subjects.id', [...new Set(ids)]);
    const visible = this.keepVisible(named(), viewer, named().select('subjects.id'));
    const rows = (await visible.select('subjects.id', 'subjects.kind')) as Row[];
    return new Map(rows.map((row) => [row.id, row]));
  }

  /** Narrows a query of subjects to what the viewer may see. @param ids a query of all that it may be about. */
  keepVisible(subjects: Knex.QueryBuilder, viewer: Viewer, ids: Knex.QueryBuilder): Knex.QueryBuilder {
    return subjects.where((readable) => {
      void readable.whereRaw('1 = 0');
      for (const visible of this.visibleAmong(viewer, ids)) void readable.orWhereIn('subjects.id', visible);
    });
  }

  participants({ kind, id }: Pick<Subject, 'kind' | 'id'>): readonly Knex.QueryBuilder[] {
    return this.#kind(kind)?.participants(this.session.query, id) ?? [];
  }

  /** Queries of `id`, one a kind: those of some subjects that the viewer may see. */
  visibleAmong(viewer: Viewer, ids: Knex.QueryBuilder): readonly Knex.QueryBuilder[] {
    return this.kinds.map((kind) => kind.visibleAmong(this.session.query, viewer, ids));
  }

  async holdAlone(id: number): Promise<boolean> {
    const { query, dialect } = this.session;
    return idsOf(await dialect.holdRows(query('subjects').where({ id }).select('id'))).length === 1;
  }

  async awaitOthers(id: number): Promise<void> {
    const { query, dialect } = this.session;
    await dialect.lockRowsAgainstReferences(query('subjects').where({ id }).select('id'));
  }

  async removeOfProject(projectId: ProjectId, limit: number): Promise<number> {
    const { query } = this.session;
    const subjects = query('subjects').where({ project_id: projectId });
    let unsaid = 0;
    for (const table of ['notes', 'draft_notes'] as const) {
      const said = query(table).whereIn('subject_id', subjects.clone().select('id')).limit(limit).select('id');
      const gone: number = await query(table).whereIn('id', said).delete();
      if (gone === limit) return limit;
      unsaid += gone;
    }
    const left = idsOf(await subjects.orderBy('id').limit(limit).select('id'));
    const { free, heldByUs } = await this.#take(left);
    await query('subjects').whereIn('id', free).delete();
    const holdsNothing = unsaid === 0 && heldByUs === 0;
    // While it holds nothing that somebody could wait for: else it comes again at once, and has let go by then.
    if (holdsNothing && left.length > 0) await this.awaitOthers(left[0]!);
    return free.length < left.length ? limit : free.length;
  }

  /**
   * Those that nobody is at. Whoever changes one holds its own row and then the subject, whoever comments on it the other way round: a removal
   * that waited for either while it holds others would end in a deadlock with one of them.
   */
  async #take(ids: readonly number[]): Promise<{ readonly free: readonly number[]; readonly heldByUs: number }> {
    const { query, dialect } = this.session;
    const held = new Set(idsOf(await dialect.holdRows(query('subjects').whereIn('id', ids).select('id'))));
    const heldByUs = held.size;
    for (const { ownRows } of this.kinds) {
      const there = idsOf((await ownRows(query, [...held])) as WithId[]);
      const taken = new Set(idsOf((await dialect.holdRows(ownRows(query, there))) as WithId[]));
      for (const id of there) if (!taken.has(id)) held.delete(id);
    }
    return { free: [...held], heldByUs };
  }

  async #read(rows: readonly Row[]): Promise<ReadonlyMap<number, SubjectDetails>> {
    const found = await together(
      this.kinds.map((of) => {
        const ids = rows.filter(({ kind }) => kind === of.kind).map(({ id }) => id);
        return ids.length === 0 ? Promise.resolve([]) : of.findAll(this.session, ids);
      }),
    );
    return new Map(found.flat().map((subject) => [subject.id, subject]));
  }

  #kind(wanted: Subject['kind']): StoredSubjectKind | undefined {
    return this.kinds.find(({ kind }) => kind === wanted);
  }
}

const idsOf = (rows: readonly WithId[]): readonly number[] => rows.map(({ id }) => id);
