import type { Knex } from 'knex';
import type { NamespaceId } from '../../../../../domain/shared/identifiers.js';
import type { Session } from '../session.js';

/** Namespaces with all that hold them: `lineage(start_id, id, parent_id, visibility)`. */
export const lineagesOf = (query: Knex, ids: readonly NamespaceId[]): Knex.QueryBuilder =>
  query
    .withRecursive('lineage', (tree) => {
      void tree
        .select({ start_id: 'id' }, 'id', 'parent_id', 'visibility')
        .from('namespaces')
        .whereIn('id', [...ids])
        .unionAll((parents) => {
          void parents
            .select('lineage.start_id', 'namespaces.id', 'namespaces.parent_id', 'namespaces.visibility')
            .from('namespaces')
            .join('lineage', 'namespaces.id', 'lineage.parent_id');
        });
    })
    .from('lineage');

/**
 * Locks the top of each tree that one of the namespaces is in until the transaction ends; always in the order of their ids, so that two
 * that lock several never wait for each other. A group never changes its parent, so a tree can be found before it is locked.
 */
export const lockTrees = async ({ query, dialect }: Session, ids: readonly NamespaceId[]): Promise<void> => {
  const tops = lineagesOf(query, ids).whereNull('parent_id').select('id');
  await dialect.lockRows(query('namespaces').whereIn('id', tops).orderBy('id').select('id'));
};
