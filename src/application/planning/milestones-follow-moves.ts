import type { Subscriber } from '../shared/domain-events.js';
import type { GroupMilestoneRepository } from './ports/group-milestones.js';

interface Needs {
  readonly groupMilestones: GroupMilestoneRepository;
}

/** What is moved out of a group keeps those of its milestones that are in use there, as milestones of its projects. */
export const milestonesFollowMoves: Subscriber<Needs> = async (event, { groupMilestones }) => {
  if (event.kind === 'project_moved') await groupMilestones.leaveBehind({ projectId: event.projectId });
  if (event.kind === 'group_moved') await groupMilestones.leaveBehind({ groupId: event.groupId });
};
