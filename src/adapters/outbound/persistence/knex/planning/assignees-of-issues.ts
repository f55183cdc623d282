import type { Person } from '../../../../../application/collaboration/ports/note-ports.js';
import { PERSON_COLUMNS, toPerson } from '../identity/people.js';
import { keptByIds } from '../kept-queries.js';
import type { Session } from '../session.js';

type PersonRow = Person & { readonly issue_id?: number };

const assigneesBy = keptByIds<PersonRow>((query, among) =>
  query('issue_assignees')
    .join('users', 'users.id', 'issue_assignees.user_id')
    .where(among('issue_id'))
    .orderBy('users.id')
    .select('issue_id', ...PERSON_COLUMNS),
);

/** Who is assigned to each of these issues. */
export const assigneesOfIssues = async (
  session: Session,
  ids: readonly number[],
): Promise<(id: number) => readonly Person[]> => {
  const rows = await assigneesBy(session, ids);
  return (id) => rows.filter(({ issue_id }) => issue_id === id).map(toPerson);
};
