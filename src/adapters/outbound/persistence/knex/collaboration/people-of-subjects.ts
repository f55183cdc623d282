import type { Knex } from 'knex';
import type { UserId } from '../../../../../domain/shared/identifiers.js';

interface Person {
  readonly id: UserId;
  readonly name: string;
}

/** The tables of those who have to do with a subject, each with its column of the subject. */
const SUBJECT_OF = {
  issue_assignees: 'issue_id',
  merge_request_assignees: 'merge_request_id',
  merge_request_reviewers: 'merge_request_id',
} as const;

/** People of some subjects, by a function that tells those of one. */
export const readPeopleOf = async (
  query: Knex,
  table: keyof typeof SUBJECT_OF,
  subjectIds: readonly number[],
): Promise<(subjectId: number) => readonly Person[]> => {
  const rows = await (query(table) as Knex.QueryBuilder)
    .join('users', 'users.id', `${table}.user_id`)
    .whereIn(SUBJECT_OF[table], [...subjectIds])
    .orderBy('users.id')
    .select<(Person & { subject_id: number })[]>('users.id', 'users.name', { subject_id: SUBJECT_OF[table] });
  const bySubject = Map.groupBy(rows, ({ subject_id }) => subject_id);
  return (subjectId) => (bySubject.get(subjectId) ?? []).map(({ id, name }) => ({ id, name }));
};
