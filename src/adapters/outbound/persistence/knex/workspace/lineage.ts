import type { Knex } from 'knex';
import type { NamespaceId } from '../../../../../domain/shared/identifiers.js';

/** A query from `lineage(id, parent_id, owner_id, full_path, distance)`: a namespace, at distance 0, and all that hold it. */
export const lineageOf = (query: Knex, namespaceId: NamespaceId): Knex.QueryBuilder =>
  query
    .withRecursive('lineage', (tree) => {
      void tree
        .select('id', 'parent_id', 'owner_id', 'full_path', query.raw('0 as distance'))
        .from('namespaces')
        .where({ id: namespaceId })
        .unionAll((parents) => {
          void parents
            .select(
              'namespaces.id',
              'namespaces.parent_id',
              'namespaces.owner_id',
              'namespaces.full_path',
              query.raw('lineage.distance + 1'),
            )
            .from('namespaces')
            .join('lineage', 'namespaces.id', 'lineage.parent_id');
        });
    })
    .from('lineage');
