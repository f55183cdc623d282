import type { Knex } from 'knex';
import type { NamespaceId } from '../../../../../domain/shared/identifiers.js';

/** An id, or the query that finds it. */
export type IdOrQuery<Id extends number> = Id | Knex.QueryBuilder;

/** A query from `lineage(id, parent_id, full_path, distance)`: a namespace, at distance 0, and all that hold it. */
export const lineageOf = (query: Knex, namespaceId: IdOrQuery<NamespaceId>): Knex.QueryBuilder =>
  query
    .withRecursive('lineage', (tree) => {
      void tree
        .select('id', 'parent_id', 'full_path', query.raw('0 as distance'))
        .from('namespaces')
        .where('id', namespaceId)
        .unionAll((parents) => {
          void parents
            .select('namespaces.id', 'namespaces.parent_id', 'namespaces.full_path', query.raw('lineage.distance + 1'))
            .from('namespaces')
            .join('lineage', 'namespaces.id', 'lineage.parent_id');
        });
    })
    .from('lineage');

/** Namespaces with all that hold them: `lineage(start_id, id, parent_id, visibility)`. */
export const lineagesOf = (query: Knex, ids: readonly NamespaceId[] | Knex.QueryBuilder): Knex.QueryBuilder =>
  query
    .withRecursive('lineage', (tree) => {
      void tree
        .select({ start_id: 'id' }, 'id', 'parent_id', 'visibility')
        .from('namespaces')
        .whereIn('id', Array.isArray(ids) ? [...(ids as readonly NamespaceId[])] : (ids as Knex.QueryBuilder))
        .unionAll((parents) => {
          void parents
            .select('lineage.start_id', 'namespaces.id', 'namespaces.parent_id', 'namespaces.visibility')
            .from('namespaces')
            .join('lineage', 'namespaces.id', 'lineage.parent_id');
        });
    })
    .from('lineage');

/** The ids of a group and of every group below it. */
export const idsInside = (query: Knex, id: NamespaceId): Knex.QueryBuilder =>
  query('inside')
    .withRecursive('inside', (tree) => {
      void tree
        .select('id')
        .from('namespaces')
        .where({ id })
        .unionAll((children) => {
          void children.select('namespaces.id').from('namespaces').join('inside', 'namespaces.parent_id', 'inside.id');
        });
    })
    .select('id');
