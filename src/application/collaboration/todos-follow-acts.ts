import type { DomainEvent, Subscriber } from '../shared/domain-events.js';
import { finishTodos, type TodoRepositories } from './operations/todos.js';

const ACTS_ON_MERGE_REQUESTS: ReadonlySet<DomainEvent['kind']> = new Set([
  'merge_request_closed',
  'merge_request_reopened',
  'merge_request_merged',
  'merge_request_approved',
  'merge_request_pushed',
]);

/** Whoever acts on a subject has done what they were asked for, and who is no longer assigned need not do it. */
export const todosFollowActs: Subscriber<TodoRepositories> = async (event, repositories) => {
  if (event.kind === 'note_added' || event.kind === 'award_given')
    await finishTodos(repositories, event.by, event.subject.id, event.at);
  if (event.kind === 'issue_closed' || event.kind === 'issue_reopened')
    await finishTodos(repositories, event.by, event.issue.id, event.at);
  if ('mergeRequest' in event && ACTS_ON_MERGE_REQUESTS.has(event.kind))
    await finishTodos(repositories, event.by, event.mergeRequest.id, event.at);
  if (event.kind === 'issue_reassigned')
    await repositories.todos.finish(event.removed, event.issue.id, event.at, ['assigned']);
  if (event.kind === 'merge_request_reassigned' || event.kind === 'merge_request_reviewers_chosen')
    await repositories.todos.finish(event.removed, event.mergeRequest.id, event.at, ['assigned', 'review_requested']);
};
