import type { Subscriber } from '../shared/domain-events.js';
import type { GroupLabelRepository } from './ports/group-labels.js';

interface Needs {
  readonly groupLabels: GroupLabelRepository;
}

/** What is moved out of a group keeps those of its labels that are in use there, as labels of its projects. */
export const labelsFollowMoves: Subscriber<Needs> = async (event, { groupLabels }) => {
  if (event.kind === 'project_moved') await groupLabels.leaveBehind({ projectId: event.projectId }, event.fromId);
  if (event.kind === 'group_moved') await groupLabels.leaveBehind({ groupId: event.groupId }, event.fromId);
};
