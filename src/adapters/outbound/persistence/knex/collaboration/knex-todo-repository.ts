import {
  AskedAgain,
  type NewTodo,
  type TodoRepository,
} from '../../../../../application/collaboration/ports/todo-ports.js';
import type { TodoAction } from '../../../../../domain/collaboration/todo.js';
import type { UserId } from '../../../../../domain/shared/identifiers.js';
import { onUniqueViolation } from '../dialect/on-unique-violation.js';
import { botsAmong } from '../identity/people.js';
import type { Session } from '../session.js';

const askedAgain = () => new AskedAgain();
/** The index of what is pending, as each database calls it. */
const REFUSALS = { todos_pending: askedAgain, todos_user_id_subject_id_action_unique: askedAgain };

export class KnexTodoRepository implements TodoRepository {
  constructor(private readonly session: Session) {}

  async add(todos: readonly NewTodo[], at: Date): Promise<readonly number[]> {
    const { query, dialect } = this.session;
    const instant = dialect.writeInstant(at);
    const bots = await botsAmong(this.session, new Set(todos.map(({ userId }) => userId)));
    const ofPeople = todos.filter(({ userId }) => !bots.has(userId));
    if (ofPeople.length === 0) return [];
    const rows = ofPeople.map(({ userId, subjectId, noteId, authorId, action }) => ({
      user_id: userId,
      subject_id: subjectId,
      note_id: noteId,
      author_id: authorId,
      action,
      state: 'pending' as const,
      created_at: instant,
      updated_at: instant,
    }));
    const added = await query('todos').insert(rows).onConflict().ignore().returning('id');
    return added.map(({ id }) => id);
  }

  async finish(
    userIds: readonly UserId[],
    subjectIds: readonly number[],
    at: Date,
    actions?: readonly TodoAction[],
  ): Promise<void> {
    if (userIds.length === 0) return;
    const pending = this.session
      .query('todos')
      .where({ state: 'pending' })
      .whereIn('subject_id', [...subjectIds])
      .whereIn('user_id', [...userIds]);
    if (actions !== undefined) void pending.whereIn('action', [...actions]);
    await pending.update(this.#done(at));
  }

  async finishOne(id: number, at: Date): Promise<void> {
    await this.session.query('todos').where({ id, state: 'pending' }).update(this.#done(at));
  }

  async reopenOne(id: number, at: Date): Promise<void> {
    const pending = { state: 'pending' as const, updated_at: this.session.dialect.writeInstant(at) };
    await onUniqueViolation(this.session.query('todos').where({ id, state: 'done' }).update(pending), REFUSALS);
  }

  async finishSome(userId: UserId, limit: number, at: Date): Promise<number> {
    const { query } = this.session;
    const some = query('todos').where({ user_id: userId, state: 'pending' }).orderBy('id').limit(limit).select('id');
    return query('todos').whereIn('id', some).update(this.#done(at));
  }

  #done(at: Date) {
    return { state: 'done' as const, updated_at: this.session.dialect.writeInstant(at) };
  }
}
