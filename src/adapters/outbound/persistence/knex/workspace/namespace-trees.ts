import type { NamespaceId } from '../../../../../domain/shared/identifiers.js';
import type { Session } from '../session.js';
import { lineagesOf } from '../visibility/lineage.js';

/**
 * Locks the top of each tree that one of the namespaces is in until the transaction ends; always in the order of their ids, so that two
 * that lock several never wait for each other. A group never changes its parent, so a tree can be found before it is locked.
 */
export const lockTrees = async ({ query, dialect }: Session, ids: readonly NamespaceId[]): Promise<void> => {
  const tops = lineagesOf(query, ids).whereNull('parent_id').select('id');
  await dialect.lockRows(query('namespaces').whereIn('id', tops).orderBy('id').select('id'));
};
