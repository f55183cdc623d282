import type { Person } from '../../../../../application/collaboration/ports/note-ports.js';
import { MENTIONS } from '../../../../../domain/collaboration/todo.js';
import { toPerson } from '../identity/people.js';
import type { Session } from '../session.js';

/** Of a subject that are told. */
const MOST_PEOPLE = 1_000;

/**
 * Who commented on a subject, or was mentioned in it, in the order of their ids. Who was mentioned was asked to look: so no text is read
 * anew.
 */
export const peopleInDiscussion = async ({ query }: Session, subjectId: number): Promise<readonly Person[]> => {
  const authors = query('notes').where({ subject_id: subjectId, system: false }).select('author_id');
  const mentioned = query('todos')
    .where({ subject_id: subjectId })
    .whereIn('action', [...MENTIONS])
    .select('user_id');
  const people = query('users').whereIn('id', authors).orWhereIn('id', mentioned).orderBy('id').limit(MOST_PEOPLE);
  return (await people.select('id', 'username', 'name', 'state')).map(toPerson);
};
