import type { Knex } from 'knex';
import type { PeopleKind, Person } from '../../../../../application/review/ports/merge-request-ports.js';
import { PERSON_COLUMNS, toPerson } from '../identity/people.js';
import { amongIds, keptByIds, onceOf } from '../kept-queries.js';
import type { Session } from '../session.js';
import { approvalCounts } from './approvals-that-count.js';

type PersonRow = Person & { readonly merge_request_id: number };

const chosenBy = (kind: PeopleKind) => {
  const table = `merge_request_${kind}` as const;
  return keptByIds<PersonRow>((query, among) =>
    query(table)
      .join('users', 'users.id', `${table}.user_id`)
      .where(among('merge_request_id'))
      .orderBy('users.id')
      .select('merge_request_id', ...PERSON_COLUMNS),
  );
};

const CHOSEN = { assignees: chosenBy('assignees'), reviewers: chosenBy('reviewers') };

/** Who has some merge requests, or reviews them, by their ids. */
export const chosenPeople = async (
  session: Session,
  kind: PeopleKind,
  ids: readonly number[],
): Promise<ReadonlyMap<number, readonly Person[]>> => {
  const rows = await CHOSEN[kind](session, ids);
  const chosen = new Map<number, Person[]>(ids.map((id) => [id, []]));
  for (const row of rows) chosen.get(row.merge_request_id)?.push(toPerson(row));
  return chosen;
};

interface ApprovalsRow {
  readonly merge_request_id: number;
  readonly approvals: number | string;
}

const approvalsBy = onceOf((session) =>
  session.keep<ApprovalsRow, { readonly ids: string; readonly today: string }>(
    ['ids', 'today'],
    (query, { ids, today }) => {
      const counts = approvalCounts(today);
      return query('merge_request_approvals')
        .join('merge_requests', 'merge_requests.id', 'merge_request_approvals.merge_request_id')
        .where(amongIds(session, query, ids)('merge_request_id'))
        .whereRaw(counts.text, counts.bindings as Knex.RawBinding[])
        .groupBy('merge_request_id')
        .select('merge_request_id')
        .count({ approvals: '*' });
    },
  ),
);

/** How many approvals of each count, of those that have any. */
export const countApprovals = async (
  session: Session,
  ids: readonly number[],
  today: string,
): Promise<ReadonlyMap<number, number>> => {
  if (ids.length === 0) return new Map();
  const rows = await approvalsBy(session)({ ids: session.dialect.writeNumbers(ids), today });
  return new Map(rows.map((row) => [row.merge_request_id, Number(row.approvals)]));
};
