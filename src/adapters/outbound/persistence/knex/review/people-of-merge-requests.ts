import type { Knex } from 'knex';
import type { PeopleKind, Person } from '../../../../../application/review/ports/merge-request-ports.js';
import { PERSON_COLUMNS, toPerson } from '../identity/people.js';
import type { Session } from '../session.js';
import { approvalCounts } from './approvals-that-count.js';

type PersonRow = Person & { readonly merge_request_id: number };

/** Who has some merge requests, or reviews them, by their ids. */
export const chosenPeople = async (
  { query }: Session,
  kind: PeopleKind,
  ids: readonly number[],
): Promise<ReadonlyMap<number, readonly Person[]>> => {
  const table = `merge_request_${kind}` as const;
  const rows = (await query(table)
    .join('users', 'users.id', `${table}.user_id`)
    .whereIn('merge_request_id', [...ids])
    .orderBy('users.id')
    .select('merge_request_id', ...PERSON_COLUMNS)) as PersonRow[];
  const chosen = new Map<number, Person[]>(ids.map((id) => [id, []]));
  for (const row of rows) chosen.get(row.merge_request_id)?.push(toPerson(row));
  return chosen;
};

/** How many approvals of each count, of those that have any. */
export const countApprovals = async (
  { query }: Session,
  ids: readonly number[],
  today: string,
): Promise<ReadonlyMap<number, number>> => {
  const counts = approvalCounts(today);
  const rows = (await query('merge_request_approvals')
    .join('merge_requests', 'merge_requests.id', 'merge_request_approvals.merge_request_id')
    .whereIn('merge_request_id', [...ids])
    .whereRaw(counts.text, counts.bindings as Knex.RawBinding[])
    .groupBy('merge_request_id')
    .select('merge_request_id')
    .count({ approvals: '*' })) as { merge_request_id: number; approvals: number | string }[];
  return new Map(rows.map((row) => [row.merge_request_id, Number(row.approvals)]));
};
