import type { Knex } from 'knex';
import type { NamespaceId } from '../../../../../domain/shared/identifiers.js';
import type { Session } from '../session.js';
import { lineagesOf } from '../visibility/lineage.js';

/**
 * Tries until what is locked is what was looked for: an attempt that answers nothing locked what became another meanwhile. Its locks
 * are given back, since to hold them while waiting for others could be a deadlock. There is one savepoint for all attempts, and none
 * within them: on PostgreSQL those who wait for what was locked before a savepoint was released wait for the whole transaction from
 * then on, also where it goes back to an earlier one.
 */
export const untilHeld = async <Held>(
  { query }: Pick<Session, 'query'>,
  attempt: () => Promise<Held | undefined>,
): Promise<Held> => {
  await query.raw('savepoint before_attempts');
  for (;;) {
    const held = await attempt();
    if (held !== undefined) {
      await query.raw('release savepoint before_attempts');
      return held;
    }
    await query.raw('rollback to savepoint before_attempts');
  }
};

/** Locks the trees as `lockTrees` does; false where one became another while this work waited. */
export const tryToLockTrees = async (
  { query, dialect }: Session,
  ids: readonly NamespaceId[] | Knex.QueryBuilder,
): Promise<boolean> => {
  const findTops = () => lineagesOf(query, ids).whereNull('parent_id').distinct('id');
  const locked = await dialect.lockRows(query('namespaces').whereIn('id', findTops()).orderBy('id').select('id'));
  const held = new Set(locked.map(({ id }) => id));
  // A statement of its own: it sees what was committed while this work waited.
  const tops = (await findTops()) as { id: NamespaceId }[];
  return tops.every(({ id }) => held.has(id));
};

/**
 * Locks the top of each tree that one of the namespaces is in until the transaction ends; always in the order of their ids, so that two
 * that lock several never wait for each other. Groups change their parents, but only while both trees are locked: so a tree that is
 * locked stays as it is, and one that became another while this work waited is looked for again.
 */
export const lockTrees = async (session: Session, ids: readonly NamespaceId[] | Knex.QueryBuilder): Promise<void> => {
  await untilHeld(session, async () => (await tryToLockTrees(session, ids)) || undefined);
};
