import type { Knex } from 'knex';
import type { GroupId } from '../../../../../domain/shared/identifiers.js';

/** The ids of a group and of every group below it. */
export const idsInside = (query: Knex, id: GroupId): Knex.QueryBuilder =>
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
