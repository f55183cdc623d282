import { ACCESS_LEVEL } from '../../../../../domain/shared/access-level.js';
import { bind, sql, type Sql } from '../sql.js';

const granted = (membership: string, today: string): Sql =>
  sql`${membership}.access_level >= ${ACCESS_LEVEL.developer}
      and (${membership}.expires_at is null or ${membership}.expires_at > ${bind(today)})`;

/**
 * Whether an approval counts, of a query with `merge_request_approvals` and `merge_requests`: who approved may do so still. They may have
 * been removed, lowered or blocked since. What is merged was approved by whoever approved it then.
 */
export const approvalCounts = (today: string): Sql => {
  const user = { text: 'merge_request_approvals.user_id', bindings: [] };
  return sql`(merge_requests.state = 'merged' or exists (
    select 1 from users approver where approver.id = ${user} and approver.state = 'active' and (
      approver.admin
      or exists (
        select 1 from project_members pm
          where pm.project_id = merge_requests.project_id and pm.user_id = ${user} and ${granted('pm', today)}
      )
      or exists (
        with recursive shared(id, parent_id) as (
          select g.id, g.parent_id from project_group_links l join namespaces g on g.id = l.group_id
            where l.project_id = merge_requests.project_id and ${granted('l', today)}
          union
          select n.id, n.parent_id from namespaces n join shared on n.id = shared.parent_id
        )
        select 1 from shared join group_members sm on sm.namespace_id = shared.id
          where sm.user_id = ${user} and ${granted('sm', today)}
      )
      or exists (
        with recursive held(id) as (
          select projects.namespace_id from projects where projects.id = merge_requests.project_id
          union all
          select n.parent_id from namespaces n join held on n.id = held.id where n.parent_id is not null
        )
        select 1 from held where exists (
          select 1 from group_members gm
            where gm.namespace_id = held.id and gm.user_id = ${user} and ${granted('gm', today)}
        ) or exists (select 1 from namespaces o where o.id = held.id and o.owner_id = ${user})
      )
    )
  ))`;
};
