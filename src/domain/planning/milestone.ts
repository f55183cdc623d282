import type { GroupId, ProjectId } from '../shared/identifiers.js';
import type { ProblemCollector } from '../shared/problem-collector.js';
import { MAX_TEXT, MAX_TITLE } from './issue.js';

export type MilestoneState = 'active' | 'closed';

/** Has begun; or is the one of its project that is due next. */
export type MilestoneStanding = 'started' | 'upcoming';

/** A group that has milestones for all projects in it and below it. */
export interface MilestoneGroup {
  readonly id: GroupId;
  readonly fullPath: string;
}

export interface Milestone {
  readonly id: number;
  /** Null for one of a group. */
  readonly projectId: ProjectId | null;
  /** Null for one of a project. */
  readonly group: MilestoneGroup | null;
  /** Counted within the project, or within the group. */
  readonly iid: number;
  /** Of its own within the project: issues are asked for by it. */
  readonly title: string;
  readonly description: string;
  readonly state: MilestoneState;
  /** UTC day, `YYYY-MM-DD`. */
  readonly startDate: string | null;
  /** UTC day, `YYYY-MM-DD`. */
  readonly dueDate: string | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

export type ProjectMilestone = Milestone & { readonly projectId: ProjectId };

/** What is said of a milestone. */
export type MilestoneFields = Pick<Milestone, 'title' | 'description' | 'startDate' | 'dueDate'>;

/** So many milestones a group has of its own. */
export const MAX_MILESTONES_OF_GROUP = 1_000;

/** A milestone of one day starts and is due on it. */
const endsAfterItStarts = ({ startDate, dueDate }: Pick<Milestone, 'startDate' | 'dueDate'>): boolean =>
  startDate === null || dueDate === null || dueDate >= startDate;

export const checkMilestone = (problems: ProblemCollector, milestone: MilestoneFields): void => {
  const { title, description } = milestone;
  problems
    .check(title.trim() !== '', 'title', "can't be blank")
    .check(title.length <= MAX_TITLE, 'title', `is too long (maximum is ${MAX_TITLE} characters)`)
    .check(description.length <= MAX_TEXT, 'description', `is too long (maximum is ${MAX_TEXT} characters)`)
    .check(endsAfterItStarts(milestone), 'due_date', 'must be greater than start date');
};
