import type { Knex } from 'knex';
import type {
  OpenTodos,
  Todo,
  TodoNote,
  TodoQuery,
  TodoReader,
} from '../../../../../application/collaboration/ports/todo-ports.js';
import { together } from '../../../../../application/shared/together.js';
import type { UserId } from '../../../../../domain/shared/identifiers.js';
import type { Page, PageRequest } from '../../../../../domain/shared/page.js';
import { readPeople } from '../identity/people.js';
import { pageOfRows } from '../page-of-rows.js';
import { inOrderOf } from '../read-in-batches.js';
import type { FindAll, Session } from '../session.js';
import { idsInside } from '../visibility/lineage.js';
import type { KnexSubjects } from './knex-subjects.js';

/** In the frame of pages, which all of them have: few are looked at. */
const MOST_COUNTED = 99;

type Mine = Pick<TodoQuery, 'userId' | 'viewer'>;

type Counted = { readonly looked_at: number; readonly readable: number | null };
type CountedFor = { readonly userId: UserId; readonly today: string };

/** How many of somebody's newest there are, and how many of these they can read. */
const countFor = (session: Session, subjects: KnexSubjects, admin: boolean): FindAll<Counted, CountedFor> =>
  session.keep(['userId', 'today'], (query, { userId, today }) => {
    const newest = query('todos')
      .where({ user_id: userId, state: 'pending' })
      .orderBy('id', 'desc')
      .limit(MOST_COUNTED + 1)
      .select('subject_id');
    const readable = subjects.visibleAmong({ userId, admin, today }, newest);
    const among = readable.map(() => 'newest.subject_id in ?').join(' or ');
    return query.from(newest.clone().as('newest')).select({
      looked_at: query.raw('count(*)'),
      readable: query.raw(`sum(case when ${among} then 1 else 0 end)`, readable),
    });
  });

export class KnexTodoReader implements TodoReader {
  readonly #countForAdministrator: FindAll<Counted, CountedFor>;
  readonly #countForOthers: FindAll<Counted, CountedFor>;

  constructor(
    private readonly session: Session,
    private readonly subjects: KnexSubjects,
  ) {
    this.#countForAdministrator = countFor(session, subjects, true);
    this.#countForOthers = countFor(session, subjects, false);
  }

  list(query: TodoQuery, page: PageRequest): Promise<Page<number>> {
    const list = this.#readable(query).orderBy('todos.id', 'desc').select('todos.id');
    const { state, action, authorId, kind } = query;
    if (state !== undefined) void list.where('todos.state', state);
    if (action !== undefined) void list.where('todos.action', action);
    if (authorId !== undefined) void list.where('todos.author_id', authorId);
    if (kind === null) void list.whereRaw('1 = 0');
    else if (kind !== undefined) void list.where('subjects.kind', kind);
    this.#narrowByPlace(list, query);
    return pageOfRows(this.session, list, page, ({ id }: { id: number }) => id);
  }

  async read({ userId, viewer }: Mine, ids: readonly number[]): Promise<readonly Todo[]> {
    const { query, dialect } = this.session;
    const rows = await query('todos')
      .where({ user_id: userId })
      .whereIn('id', [...ids]);
    if (rows.length === 0) return [];
    const [subjects, notes, people] = await together([
      this.subjects.findVisible(
        viewer,
        rows.map(({ subject_id }) => subject_id),
      ),
      this.#notesOf(rows),
      readPeople(
        this.session,
        rows.map(({ author_id }) => author_id),
      ),
    ]);
    return inOrderOf(ids, rows).flatMap((row) => {
      const subject = subjects.get(row.subject_id);
      if (subject === undefined) return [];
      const { id, action, state } = row;
      const [createdAt, updatedAt] = [dialect.readInstant(row.created_at), dialect.readInstant(row.updated_at)];
      const [note, author] = [notes.get(row.note_id) ?? null, people.get(row.author_id) ?? null];
      return [{ id, action, state, subject, note, author, createdAt, updatedAt }];
    });
  }

  async countOpen({ userId, viewer }: Mine): Promise<OpenTodos> {
    const count = viewer.admin ? this.#countForAdministrator : this.#countForOthers;
    const [counted] = await count({ userId, today: viewer.today });
    const { looked_at = 0, readable = 0 } = counted ?? {};
    return { count: Math.min(Number(readable ?? 0), MOST_COUNTED), more: Number(looked_at) > MOST_COUNTED };
  }

  async #notesOf(rows: readonly { readonly note_id: number | null }[]): Promise<ReadonlyMap<number | null, TodoNote>> {
    const ids = rows.flatMap(({ note_id }) => note_id ?? []);
    if (ids.length === 0) return new Map();
    const notes = await this.session.query('notes').whereIn('id', ids).select('id', 'body');
    return new Map(notes.map((note) => [note.id, note]));
  }

  #narrowByPlace(list: Knex.QueryBuilder, { projectId, groupId }: TodoQuery): void {
    const { query } = this.session;
    if (projectId !== undefined) void list.where('subjects.project_id', projectId);
    if (groupId === undefined) return;
    const inside = query('projects').whereIn('namespace_id', idsInside(query, groupId)).select('id');
    void list.whereIn('subjects.project_id', inside);
  }

  /** Those about what their person can read now. */
  #readable({ userId, viewer, state }: Mine & Pick<TodoQuery, 'state'>): Knex.QueryBuilder {
    const { query } = this.session;
    const mine = query('todos')
      .where({ user_id: userId, ...(state && { state }) })
      .select('subject_id');
    const todos = (query('todos') as Knex.QueryBuilder)
      .join('subjects', 'subjects.id', 'todos.subject_id')
      .where('todos.user_id', userId);
    return this.subjects.keepVisible(todos, viewer, mine);
  }
}
