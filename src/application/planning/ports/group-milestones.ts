import type { Milestone, MilestoneFields, MilestoneState } from '../../../domain/planning/milestone.js';
import type { GroupId, ProjectId } from '../../../domain/shared/identifiers.js';
import type { PageInBatches } from '../../shared/page-in-batches.js';
import type { Moved } from './group-labels.js';
import type { MilestoneDetails, MilestoneFilters } from './planning-readers.js';

/** A milestone of a group, as whoever changes it needs it. */
export type GroupMilestone = MilestoneFields & Pick<Milestone, 'id' | 'state'>;

export type NewGroupMilestone = MilestoneFields & Pick<Milestone, 'createdAt'> & { readonly state?: MilestoneState };

export interface GroupMilestoneRepository {
  /** Of many who make milestones of a group, each waits for the one before. False where the group is gone. */
  hold(groupId: GroupId): Promise<boolean>;
  /** How many milestones a group has itself. */
  countOf(groupId: GroupId): Promise<number>;
  /** The one of that title of the group itself. */
  findTitled(groupId: GroupId, title: string): Promise<number | undefined>;
  /**
   * Gives it the next number of its group.
   *
   * @returns its id. @throws Invalid at `title` where the group, or one above it, has one of that title.
   */
  add(groupId: GroupId, milestone: NewGroupMilestone): Promise<number>;
  /** One of the group itself: of many works that change one or begin to use it, each waits for the one before. */
  take(groupId: GroupId, id: number): Promise<GroupMilestone | undefined>;
  /** Asked before `take` by whoever is going to remove it: holds the merge requests that are planned for it, as works take these first. */
  holdMergeRequests(groupId: GroupId, id: number): Promise<void>;
  /** @throws Invalid at `title` as `add` does, and where a project that uses it has another one of that title. */
  update(groupId: GroupId, milestone: GroupMilestone, at: Date): Promise<void>;
  /** What is planned for it stays, in all projects. */
  remove(id: number): Promise<void>;
  /** Whether a project is in this group itself. */
  holds(groupId: GroupId, projectId: ProjectId): Promise<boolean>;
  /**
   * Makes the milestones of that title of all projects in the group, and in those below it that have none of that title themselves, this one.
   *
   * @throws Invalid at `title`.
   */
  takeOver(groupId: GroupId, milestone: GroupMilestone, at: Date): Promise<void>;
  /** Milestones of groups that are not above a project any more become its own, with their descriptions. @throws NotPossible where these are too long. */
  leaveBehind(moved: Moved): Promise<void>;
}

export interface GroupMilestoneQuery extends MilestoneFilters {
  readonly groupId: GroupId;
  /** Those of the groups above as well. */
  readonly withThoseAbove: boolean;
}

export interface GroupMilestoneReader {
  /** One of the group itself, by its id, or by its number within the group. */
  find(
    groupId: GroupId,
    which: { readonly id: number } | { readonly iid: number },
  ): Promise<MilestoneDetails | undefined>;
  /** What is due first comes first, and last what is never due. */
  list(query: GroupMilestoneQuery): Promise<PageInBatches<MilestoneDetails>>;
}
