import type { Knex } from 'knex';
import type { Todo, TodoQuery, TodoReader } from '../../../../../application/collaboration/ports/todo-ports.js';
import type { Page, PageRequest } from '../../../../../domain/shared/page.js';
import { readPeople } from '../identity/people.js';
import { pageOfRows } from '../page-of-rows.js';
import { inOrderOf } from '../read-in-batches.js';
import type { Session } from '../session.js';
import { idsInside } from '../visibility/lineage.js';
import type { KnexSubjects } from './knex-subjects.js';

type Mine = Pick<TodoQuery, 'userId' | 'viewer'>;

export class KnexTodoReader implements TodoReader {
  constructor(
    private readonly session: Session,
    private readonly subjects: KnexSubjects,
  ) {}

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

  async read(mine: Mine, ids: readonly number[]): Promise<readonly Todo[]> {
    const { query, dialect } = this.session;
    const readable = this.#readable(mine)
      .whereIn('todos.id', [...ids])
      .select('todos.id');
    const rows = await query('todos').whereIn('id', readable);
    const people = await readPeople(
      this.session,
      rows.map(({ author_id }) => author_id),
    );
    const todos: Todo[] = [];
    for (const row of inOrderOf(ids, rows)) {
      const subject = await this.subjects.find(row.subject_id);
      if (subject === undefined) continue;
      const note =
        row.note_id === null ? undefined : await query('notes').where({ id: row.note_id }).first('id', 'body');
      todos.push({
        id: row.id,
        action: row.action,
        state: row.state,
        subject,
        note: note ?? null,
        author: people.get(row.author_id) ?? null,
        createdAt: dialect.readInstant(row.created_at),
        updatedAt: dialect.readInstant(row.updated_at),
      });
    }
    return todos;
  }

  #narrowByPlace(list: Knex.QueryBuilder, { projectId, groupId }: TodoQuery): void {
    const { query } = this.session;
    if (projectId !== undefined) void list.where('subjects.project_id', projectId);
    if (groupId === undefined) return;
    const inside = query('projects').whereIn('namespace_id', idsInside(query, groupId)).select('id');
    void list.whereIn('subjects.project_id', inside);
  }

  /** Those about what their person can read now. */
  #readable({ userId, viewer }: Mine): Knex.QueryBuilder {
    const { query } = this.session;
    const todos = query('todos') as Knex.QueryBuilder;
    const mine = query('todos').where({ user_id: userId }).select('subject_id');
    return todos
      .join('subjects', 'subjects.id', 'todos.subject_id')
      .where('todos.user_id', userId)
      .where((readable) => {
        void readable.whereRaw('1 = 0');
        for (const visible of this.subjects.visibleAmong(viewer, mine)) void readable.orWhereIn('subjects.id', visible);
      });
  }
}
