import type { ChangedPeople, PeopleKind } from '../../../../../application/review/ports/merge-request-ports.js';
import type { UserId } from '../../../../../domain/shared/identifiers.js';
import { insertInto } from '../insert-rows.js';
import type { Session } from '../session.js';

const CHOOSE = {
  assignees: insertInto('merge_request_assignees', ['merge_request_id', 'user_id']),
  reviewers: insertInto('merge_request_reviewers', ['merge_request_id', 'user_id']),
};

/** Gives a merge request these people and no others; unknown users are left out. */
export const setPeople = async (
  session: Session,
  id: number,
  kind: PeopleKind,
  userIds: readonly UserId[],
): Promise<ChangedPeople> => {
  const { query } = session;
  const table = `merge_request_${kind}` as const;
  const chosen = (await query(table).where({ merge_request_id: id }).select('user_id')) as { user_id: UserId }[];
  const known = (await query('users')
    .whereIn('id', [...userIds])
    .select('id')) as { id: UserId }[];
  const before = new Set(chosen.map((row) => row.user_id));
  const after = new Set(known.map((row) => row.id));
  const added = [...after].filter((each) => !before.has(each));
  const removed = [...before].filter((each) => !after.has(each));
  if (removed.length > 0) await query(table).where({ merge_request_id: id }).whereIn('user_id', removed).delete();
  await CHOOSE[kind](
    session,
    added.map((user_id) => [id, user_id]),
  );
  return { added, removed };
};
