import type { TodoAction } from '../../domain/collaboration/todo.js';
import type { NewTodo } from '../collaboration/ports/todo-ports.js';
import type { Named } from './decide-mail.js';
import type { Person, Topic } from './ports/audience-ports.js';
import { isOpening, type Cause } from './ports/cause-ports.js';

/** What a cause asks somebody to do, whatever they want to be mailed about. */
export const decideTodos = (
  { id }: Pick<Person, 'id'>,
  { kind, actorId, noteId, details }: Cause,
  { subject }: Topic,
  { now, addressed }: Named,
): readonly NewTodo[] => {
  if (subject === null) return [];
  const assigned = subject.assignees.some((assignee) => assignee.id === id);
  const newly = isOpening(kind) || (details.added?.includes(id) ?? false);
  // As it is now: somebody may have been relieved meanwhile.
  const actions: TodoAction[] = assigned && newly ? ['assigned'] : [];
  // Who names themselves asks for nothing; who assigns themselves does.
  if (now.has(id) && id !== actorId) actions.push(addressed.has(id) ? 'directly_addressed' : 'mentioned');
  return actions.map((action) => ({ userId: id, subjectId: subject.id, noteId, authorId: actorId, action }));
};
