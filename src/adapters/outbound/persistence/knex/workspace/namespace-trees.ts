import type { Knex } from 'knex';
import type { NamespaceId } from '../../../../../domain/shared/identifiers.js';
import type { Session } from '../session.js';
import { lineagesOf } from '../visibility/lineage.js';

/**
 * Locks the top of each tree that one of the namespaces is in until the transaction ends; always in the order of their ids, so that two
 * that lock several never wait for each other. Groups change their parents, but only while both trees are locked: so a tree that is
 * locked stays as it is, and one that became another while this work waited is looked for again.
 */
export const lockTrees = async (
  { query, dialect }: Session,
  ids: readonly NamespaceId[] | Knex.QueryBuilder,
): Promise<void> => {
  const findTops = () => lineagesOf(query, ids).whereNull('parent_id').distinct('id');
  for (;;) {
    await query.raw('savepoint before_trees_are_locked');
    const locked = await dialect.lockRows(query('namespaces').whereIn('id', findTops()).orderBy('id').select('id'));
    const held = new Set(locked.map(({ id }) => id));
    // A statement of its own: it sees what was committed while this work waited.
    const tops = (await findTops()) as { id: NamespaceId }[];
    if (tops.every(({ id }) => held.has(id))) {
      await query.raw('release savepoint before_trees_are_locked');
      return;
    }
    // The locks are given back: to hold them while waiting for another tree could be a deadlock.
    await query.raw('rollback to savepoint before_trees_are_locked');
  }
};
