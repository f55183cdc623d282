import type { Knex } from 'knex';
import type { Viewer } from '../../../../../application/workspace/ports/workspace-readers.js';
import { ACCESS_LEVEL } from '../../../../../domain/shared/access-level.js';
import { bind, sql, type Sql } from '../sql.js';

export type MemberTable = 'group_members' | 'project_members';

/** Memberships that have not ended. */
export const unexpired = (table: string, today: string) => (where: Knex.QueryBuilder) => {
  void where.whereNull(`${table}.expires_at`).orWhere(`${table}.expires_at`, '>', today);
};

/** Adds to a query the viewer's own membership of the group or project in a column, where there is one that has not ended. */
export const joinOwnMembership = (
  list: Knex.QueryBuilder,
  table: MemberTable,
  column: string,
  { userId, today }: Viewer,
): void => {
  const owner = table === 'group_members' ? 'namespace_id' : 'project_id';
  void list.leftJoin(table, (join) => {
    join
      .on(`${table}.${owner}`, column)
      .andOnVal(`${table}.user_id`, userId ?? 0)
      .andOn((unended) => {
        unended.onNull(`${table}.expires_at`).orOnVal(`${table}.expires_at`, '>', today);
      });
  });
};

/**
 * The recursive common table expression `spread(namespace_id, level)`: the levels that the viewer was granted in a namespace, or
 * has as its owner, there and in every namespace below; some have several.
 */
export const levelsSpread = ({ userId, today }: Viewer): Sql => {
  const me = bind(userId ?? 0);
  return sql`select namespace_id, level from (
      select g.namespace_id, g.access_level as level from group_members g
        where g.user_id = ${me} and (g.expires_at is null or g.expires_at > ${bind(today)})
      union all
      select n.id, ${ACCESS_LEVEL.owner} from namespaces n where n.owner_id = ${me}
    ) direct
    union
    select n.id, spread.level from namespaces n join spread on n.parent_id = spread.namespace_id`;
};

/** Adds to a query the common table expression `reach(namespace_id, level)`: the highest level in each namespace. */
export const withReach = (query: Knex, viewer: Viewer): Knex.QueryBuilder => {
  const { text, bindings } = levelsSpread(viewer);
  return query
    .withRecursive('spread', ['namespace_id', 'level'], query.raw(text, bindings as Knex.RawBinding[]))
    .with('reach', (reach) => {
      void reach.select('namespace_id').max({ level: 'level' }).from('spread').groupBy('namespace_id');
    });
};
