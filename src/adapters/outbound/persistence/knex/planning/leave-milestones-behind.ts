import type { Moved } from '../../../../../application/planning/ports/group-labels.js';
import type { Session } from '../session.js';
import { ABOVE_GROUP, ABOVE_PROJECT } from './hold-labels.js';

const OF_PROJECT = `with recursive ${ABOVE_PROJECT}
  update milestones set group_milestone_id = null where project_id = ? and group_milestone_id in (
    select id from group_milestones where group_id not in (select id from above))`;

const OF_GROUP = `with recursive ${ABOVE_GROUP}, inside (id) as (
    select id from namespaces where id = ? union all
    select namespaces.id from namespaces join inside on namespaces.parent_id = inside.id)
  update milestones set group_milestone_id = null
  where project_id in (select id from projects where namespace_id in (select id from inside))
  and group_milestone_id in (
    select id from group_milestones
    where group_id not in (select id from inside) and group_id not in (select id from above))`;

/** Makes milestones of groups, where these are not above the project any more, milestones of the project itself. */
export const leaveMilestonesBehind = async (session: Session, moved: Moved): Promise<void> => {
  const [sql, id] = 'projectId' in moved ? [OF_PROJECT, moved.projectId] : [OF_GROUP, moved.groupId];
  await session.run(sql, [id, id]);
};
