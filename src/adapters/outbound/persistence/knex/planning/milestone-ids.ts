/**
 * Milestones of projects and of groups stand in tables of their own, and clients tell them apart by nothing but their ids: those of groups
 * are told with this much added, which no project comes near.
 */
export const GROUP_MILESTONE_IDS = 1_073_741_824;

/** The id of a milestone as everybody knows it, of its row in a project: a milestone of a group has the same in all of them. */
export const idOfMilestone = ({
  id,
  group_milestone_id: groupMilestoneId,
}: {
  readonly id: number;
  readonly group_milestone_id: number | null;
}): number => (groupMilestoneId === null ? id : GROUP_MILESTONE_IDS + groupMilestoneId);

/** The id of the row in `group_milestones` of a milestone that is known by this id; undefined for one of a project. */
export const groupMilestoneIn = (id: number): number | undefined =>
  id > GROUP_MILESTONE_IDS ? id - GROUP_MILESTONE_IDS : undefined;

/** Ids as everybody knows them: those of milestones of projects, and those of rows of milestones of groups. */
export const milestonesApart = (ids: readonly number[]) => ({
  own: ids.filter((id) => groupMilestoneIn(id) === undefined),
  ofGroups: ids.flatMap((id) => groupMilestoneIn(id) ?? []),
});
