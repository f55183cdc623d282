import type { Subscriber } from '../shared/domain-events.js';
import { finishTodos, type TodoRepositories } from './operations/todos.js';

/** Whoever acts on a subject has done what they were asked for, and who is no longer assigned need not do it. */
export const todosFollowActs: Subscriber<TodoRepositories> = async (event, repositories) => {
  if (event.kind === 'note_added' || event.kind === 'award_given')
    await finishTodos(repositories, event.by, event.subject.id, event.at);
  if (event.kind === 'issue_closed' || event.kind === 'issue_reopened')
    await finishTodos(repositories, event.by, event.issue.id, event.at);
  if (event.kind === 'issue_reassigned')
    await repositories.todos.finish(event.removed, event.issue.id, event.at, ['assigned']);
};
