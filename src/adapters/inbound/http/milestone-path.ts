import type { Milestone } from '../../../domain/planning/milestone.js';

/** A milestone, as far as its address tells of it. */
export interface MilestoneAddress extends Pick<Milestone, 'iid'> {
  readonly group: { readonly fullPath: string } | null;
  /** Of the project that it is of, if any. */
  readonly projectPath: string | null;
}

/** The page of a milestone of a project, or of a group. */
export const milestonePath = ({ iid, group, projectPath }: MilestoneAddress): string =>
  group === null ? `/${projectPath ?? ''}/-/milestones/${iid}` : `/groups/${group.fullPath}/-/milestones/${iid}`;
