import type { Person } from '../../../../../application/collaboration/ports/note-ports.js';
import { toPerson } from '../identity/people.js';
import type { Session } from '../session.js';

/** Of a subject that are told. */
const MOST_COMMENTERS = 1_000;

/** Who commented on a subject, in the order of their ids. */
export const commentersOf = async ({ query }: Session, subjectId: number): Promise<readonly Person[]> => {
  const authors = query('notes').where({ subject_id: subjectId, system: false }).select('author_id');
  const people = query('users').whereIn('id', authors).orderBy('id').limit(MOST_COMMENTERS);
  return (await people.select('id', 'username', 'name', 'state')).map(toPerson);
};
