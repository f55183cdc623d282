import type { Viewer } from '../../../../../application/workspace/ports/workspace-readers.js';
import type { Dialect } from '../dialect/dialect.js';
import { bind, joinSql, sql, type Sql } from '../sql.js';
import { levelsSpread } from './memberships.js';
import { lowerLevel } from './shared-projects.js';
import { openTo } from './visible.js';

const LINKS = 'project_group_links';

/** What is being removed is gone for everybody; it is little, and an index of its own knows it. */
const BEING_REMOVED: Sql = sql`select p.id from projects p where p.removal_requested_at is not null`;

/**
 * Recursive common table expressions of what a viewer is a member of, by a membership of their own, through the groups above or
 * through those that something is shared with:
 * `granted(project_id, level)`, some of it several times. A `cross join` is taken in the order in which it stands, where a planner
 * can be told.
 */
export const grantedProjects = (viewer: Viewer, dialect: Dialect): Sql => {
  const [me, day] = [bind(viewer.userId ?? 0), bind(viewer.today)];
  return sql`spread(namespace_id, level) as (${levelsSpread(viewer)}),
    granted(project_id, level) as (
      select project_id, level from (
        select m.project_id, m.access_level as level from project_members m
          where m.user_id = ${me} and (m.expires_at is null or m.expires_at > ${day})
        union all
        select projects.id, s.level from spread s ${dialect.lookUp('projects', 'namespace_id', 's.namespace_id')}
        union all
        select ${LINKS}.project_id, ${lowerLevel(`${LINKS}.access_level`, 's.level')}
          from spread s ${dialect.lookUp(LINKS, 'group_id', 's.namespace_id')}
          where ${LINKS}.expires_at is null or ${LINKS}.expires_at > ${day}
      ) levels where project_id not in (${BEING_REMOVED})
    )`;
};

/** Whether a project `p` is there, and open to the viewer without being a member. */
export const isOpenTo = (viewer: Viewer): Sql => sql`p.removal_requested_at is null
  and p.visibility in (${joinSql(openTo(viewer).map(bind), ', ')})`;
