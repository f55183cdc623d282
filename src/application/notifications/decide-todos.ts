import type { TodoAction } from '../../domain/collaboration/todo.js';
import type { UserId } from '../../domain/shared/identifiers.js';
import type { SubjectDetails } from '../collaboration/ports/subject-ports.js';
import type { NewTodo } from '../collaboration/ports/todo-ports.js';
import type { Named } from './decide-mail.js';
import type { Person, Topic } from './ports/audience-ports.js';
import { isOpening, type Cause } from './ports/cause-ports.js';

/** What a cause asks somebody to do, whatever they want to be mailed about. */
export const decideTodos = (
  { id }: Pick<Person, 'id'>,
  cause: Cause,
  { subject }: Topic,
  { now, addressed }: Named,
): readonly NewTodo[] => {
  // Nothing is to be done about a snippet.
  if (subject === null || subject.kind === 'snippet') return [];
  const { actorId, noteId } = cause;
  const actions: TodoAction[] = isNewlyAsked(id, cause, subject) ? [whatIsAsked(id, cause, subject)] : [];
  // Who names themselves asks for nothing; who assigns themselves does.
  if (now.has(id) && id !== actorId) actions.push(addressed.has(id) ? 'directly_addressed' : 'mentioned');
  return actions.map((action) => ({ userId: id, subjectId: subject.id, noteId, authorId: actorId, action }));
};

/** As it is now: somebody may have been relieved meanwhile. */
const isNewlyAsked = (id: UserId, { kind, details }: Cause, { assignees }: SubjectDetails): boolean =>
  assignees.some((assignee) => assignee.id === id) && (isOpening(kind) || (details.added?.includes(id) ?? false));

const whatIsAsked = (id: UserId, { kind, details }: Cause, { reviewers = [] }: SubjectDetails): TodoAction => {
  const reviewing = isOpening(kind) ? reviewers.includes(id) : details.reviewing;
  return reviewing === true ? 'review_requested' : 'assigned';
};
