import type { Knex } from 'knex';
import type { Viewer } from '../../../../../application/workspace/ports/workspace-readers.js';
import { ACCESS_LEVEL } from '../../../../../domain/workspace/access-level.js';
import { VISIBILITIES, isVisibleWithoutMembership } from '../../../../../domain/workspace/visibility.js';

export const unexpired = (table: string, today: string) => (where: Knex.QueryBuilder) => {
  void where.whereNull(`${table}.expires_at`).orWhere(`${table}.expires_at`, '>', today);
};

/**
 * Adds to a query the common table expression `reach(namespace_id, level)`: every namespace in which the viewer has a level,
 * granted there or in one above.
 */
export const withReach = (query: Knex, { userId, today }: Viewer): Knex.QueryBuilder =>
  query
    .with('granted', (granted) => {
      void granted
        .select({ namespace_id: 'group_members.namespace_id', level: 'group_members.access_level' })
        .from('group_members')
        .where('group_members.user_id', userId ?? 0)
        .andWhere(unexpired('group_members', today))
        .unionAll((own) => {
          void own
            .select({ namespace_id: 'namespaces.id', level: query.raw('cast(? as integer)', [ACCESS_LEVEL.owner]) })
            .from('namespaces')
            .where('namespaces.owner_id', userId ?? 0);
        });
    })
    .withRecursive('spread', (spread) => {
      void spread
        .select('namespace_id', 'level')
        .from('granted')
        .union((children) => {
          void children
            .select({ namespace_id: 'namespaces.id', level: 'spread.level' })
            .from('namespaces')
            .join('spread', 'namespaces.parent_id', 'spread.namespace_id');
        });
    })
    .with('reach', (reach) => {
      void reach.select('namespace_id').max({ level: 'level' }).from('spread').groupBy('namespace_id');
    });

/** The visibilities that the viewer sees without being a member. */
export const openTo = ({ userId }: Viewer): string[] =>
  VISIBILITIES.filter((visibility) => isVisibleWithoutMembership(visibility, userId !== null));
