import type { ProjectId } from '../../../../../domain/shared/identifiers.js';
import type { Session } from '../session.js';
import type { RowOf } from '../tables.js';
import { nextNumber } from '../shared/project-counter.js';
import { ABOVE_PROJECT, keepProjects } from './hold-labels.js';
import { groupMilestoneIn } from './milestone-ids.js';

const COPIED = 'title, state, start_date, due_date, created_at, updated_at';

/** Its description, which may be long, stays with the group. */
const ADOPT = `insert into milestones (project_id, iid, group_milestone_id, description, search_key, ${COPIED})
  select cast(? as bigint), cast(? as bigint), id, '', '', ${COPIED} from group_milestones where id = ? on conflict do nothing`;

/**
 * Gives a project a row of its own for a milestone of a group above, unless it has another one of that title. Whoever changes the milestone,
 * or moves the project elsewhere, finds the row afterwards: both wait until it is there, or this waits for them.
 */
const adopt = async (session: Session, projectId: ProjectId, groupMilestoneId: number): Promise<void> => {
  const { dialect } = session;
  await keepProjects(session, projectId);
  const found = await session.run(
    `with recursive ${ABOVE_PROJECT} select group_milestones.id from group_milestones
     join above on above.id = group_milestones.group_id
     where group_milestones.id = ? ${dialect.sharedLock('group_milestones', 'unchanged')}`,
    [projectId, groupMilestoneId],
  );
  if (found.length === 0) return;
  await session.run(ADOPT, [projectId, await nextNumber(session, projectId, 'milestone'), groupMilestoneId]);
};

/**
 * The row of a project for a milestone that its issues and merge requests can have: it isn't removed until the work ends.
 *
 * @param id as everybody knows it. @returns undefined where the project has no such milestone, and no group above it.
 */
export const useMilestone = async (session: Session, projectId: ProjectId, id: number): Promise<number | undefined> => {
  const { query, dialect } = session;
  const groupMilestoneId = groupMilestoneIn(id);
  const which: Partial<RowOf<'milestones'>> =
    groupMilestoneId === undefined ? { id } : { group_milestone_id: groupMilestoneId };
  const take = () =>
    dialect.lockRows(
      query('milestones')
        .where({ project_id: projectId, ...which })
        .select('id'),
    );
  const [row] = await take();
  if (row !== undefined || groupMilestoneId === undefined) return row?.id;
  await adopt(session, projectId, groupMilestoneId);
  return (await take())[0]?.id;
};
