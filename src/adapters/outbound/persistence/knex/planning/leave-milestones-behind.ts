import type { Moved } from '../../../../../application/planning/ports/group-labels.js';
import { NotPossible } from '../../../../../domain/shared/domain-error.js';
import type { Session } from '../session.js';
import { ABOVE_GROUP, ABOVE_PROJECT } from './hold-labels.js';

/** Of all that is written with one move: a group may have many projects, and each a row for many milestones. */
const MOST_BYTES = 10 * 1024 * 1024;

/** The rows of a project for milestones of groups that are not above it any more. */
const OF_PROJECT = {
  above: ABOVE_PROJECT,
  where: `milestones.project_id = ? and group_milestone_id in (
    select id from group_milestones where group_id not in (select id from above))`,
};

/** The same of all projects in a group. */
const OF_GROUP = {
  above: `${ABOVE_GROUP}, inside (id) as (
    select id from namespaces where id = ? union all
    select namespaces.id from namespaces join inside on namespaces.parent_id = inside.id)`,
  where: `milestones.project_id in (select id from projects where namespace_id in (select id from inside))
    and group_milestone_id in (
      select id from group_milestones
      where group_id not in (select id from inside) and group_id not in (select id from above))`,
};

const ofGroup = (column: string): string =>
  `${column} = (select ${column} from group_milestones where group_milestones.id = milestones.group_milestone_id)`;

/**
 * Makes milestones of groups, where these are not above the project any more, milestones of the project itself.
 *
 * @throws NotPossible where their descriptions are too long.
 */
export const leaveMilestonesBehind = async (session: Session, moved: Moved): Promise<void> => {
  const [{ above, where }, id] = 'projectId' in moved ? [OF_PROJECT, moved.projectId] : [OF_GROUP, moved.groupId];
  const [left] = await session.run<{ readonly bytes: number | null }>(
    `with recursive ${above} select sum(octet_length(group_milestones.description)) as bytes from milestones
     join group_milestones on group_milestones.id = milestones.group_milestone_id where ${where}`,
    [id, id],
  );
  if (Number(left?.bytes ?? 0) > MOST_BYTES)
    throw new NotPossible('Transfer failed: The descriptions of the milestones that would be copied are too long.');
  await session.run(
    `with recursive ${above} update milestones set ${ofGroup('description')}, ${ofGroup('search_key')}, group_milestone_id = null
     where ${where}`,
    [id, id],
  );
};
