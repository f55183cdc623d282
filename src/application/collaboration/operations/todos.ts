import type { UserId } from '../../../domain/shared/identifiers.js';
import type { NewTodo, TodoRepository } from '../ports/todo-ports.js';

/** What the operations need of the caller's unit of work. */
export interface TodoRepositories {
  readonly todos: TodoRepository;
}

/**
 * Asks people to do something, within the caller's unit of work. Whoever calls it has seen to it that each may read the subject; what
 * somebody is asked for already is left as it is.
 */
export const askPeople = async (
  { todos }: TodoRepositories,
  asked: readonly NewTodo[],
  at: Date,
): Promise<readonly number[]> => (asked.length === 0 ? [] : todos.add(asked, at));

/** Somebody acted on a subject: what they were asked for about it is done. */
export const finishTodos = ({ todos }: TodoRepositories, userId: UserId, subjectId: number, at: Date): Promise<void> =>
  todos.finish([userId], [subjectId], at);
