import type { SubjectLabelRepository } from '../../collaboration/ports/label-ports.js';
import type { Issue, IssueState } from '../../../domain/planning/issue.js';
import type { Label, UsableLabel } from '../../../domain/planning/label.js';
import type {
  Milestone,
  MilestoneFields,
  MilestoneState,
  ProjectMilestone,
} from '../../../domain/planning/milestone.js';
import type { ProjectId, UserId } from '../../../domain/shared/identifiers.js';
import type { ResourceEventRepository } from './resource-event-ports.js';

export type NewIssue = Pick<
  Issue,
  'projectId' | 'kind' | 'title' | 'description' | 'severity' | 'confidential' | 'dueDate' | 'authorId' | 'createdAt'
> &
  /** It was changed last when it was created, unless told. */
  Partial<Pick<Issue, 'milestoneId' | 'updatedAt'>>;
export type IssueChanges = Partial<
  Pick<Issue, 'title' | 'description' | 'confidential' | 'dueDate' | 'milestoneId' | 'discussionLocked'>
>;

/** What is an issue's own before it is there. */
export type IssuePlace = Pick<Issue, 'id' | 'iid'>;

export interface IssueRepository {
  /** Gives it the next number of its project. */
  add(issue: NewIssue): Promise<Issue>;
  /** Places for so many issues that are added in the same work. Nobody else adds one to the project meanwhile. */
  reserve(projectId: ProjectId, count: number): Promise<readonly IssuePlace[]>;
  /** Adds issues in places that were reserved for them. */
  addReserved(issues: readonly (NewIssue & IssuePlace)[]): Promise<readonly Issue[]>;
  find(id: number): Promise<Issue | undefined>;
  /** As it is now; of works that take it, each waits for the one before. */
  take(id: number): Promise<Issue | undefined>;
  /** As `take`, several at once; without those that are gone. */
  takeAll(ids: readonly number[]): Promise<readonly Issue[]>;
  update(id: number, changes: IssueChanges, at: Date): Promise<void>;
  /** Says when it was changed last. */
  setUpdatedAt(id: number, at: Date): Promise<void>;
  /** False when it was in that state already. */
  changeState(id: number, state: IssueState, by: UserId, at: Date): Promise<boolean>;
  /** Of issues that this work has taken. */
  changeStates(changes: readonly StateChange[], state: IssueState): Promise<void>;
  remove(id: number): Promise<void>;
  assigneesOf(id: number): Promise<readonly UserId[]>;
  /** Notes which issue it went on as. */
  markMoved(id: number, toId: number): Promise<void>;
  /** Notes which issue it repeats. */
  markDuplicate(id: number, ofId: number): Promise<void>;
  /** Unknown users are left out. @returns who is new, and who is not among them any more. */
  setAssignees(
    id: number,
    userIds: readonly UserId[],
  ): Promise<{ readonly added: readonly UserId[]; readonly removed: readonly UserId[] }>;
  /** Of these users, those who see the project on a UTC day: nobody else can be made an assignee. */
  assignable(projectId: ProjectId, userIds: readonly UserId[], today: string): Promise<readonly UserId[]>;
}

/** Who changes the state of an issue, and when. */
export interface StateChange {
  readonly id: number;
  readonly by: UserId;
  readonly at: Date;
}

export interface LabelRepository {
  /**
   * Holds the labels of the tree of a project until the work ends, as `GroupLabelRepository.hold` does. Asked before anything else here by
   * whoever adds, changes or removes one.
   */
  hold(projectId: ProjectId): Promise<void>;
  /** @throws Conflict "Label already exists" where the project, or a group above it, has one of that name. */
  add(projectId: ProjectId, label: Omit<Label, 'id'>, at: Date): Promise<Label>;
  /** One of the project itself, or of a group above it. */
  find(projectId: ProjectId, id: number): Promise<UsableLabel | undefined>;
  /**
   * Of one of the project itself.
   *
   * @throws Conflict as `add` does, where it is `renamed`.
   */
  update(projectId: ProjectId, id: number, label: Omit<Label, 'id'>, renamed: boolean): Promise<void>;
  remove(id: number): Promise<void>;
}

export type NewMilestone = MilestoneFields & Pick<Milestone, 'createdAt'> & Pick<ProjectMilestone, 'projectId'>;

export interface MilestoneRepository {
  /**
   * Gives it the next number of its project.
   *
   * @throws Invalid at `title` when the project, or a group above it, has one of that title.
   */
  add(milestone: NewMilestone): Promise<ProjectMilestone>;
  /** One of the project itself, to be judged or changed: of many works that ask for one, each waits for the one before. */
  take(projectId: ProjectId, id: number): Promise<ProjectMilestone | undefined>;
  /** Asked before `take` by whoever is going to remove it: holds the merge requests that are planned for it, as works take these first. */
  holdMergeRequests(projectId: ProjectId, id: number): Promise<void>;
  /**
   * To be given to an issue or merge request: of the project itself, or of a group above it.
   *
   * @returns what these refer to it by, within the project: it isn't removed until the work ends.
   */
  use(projectId: ProjectId, id: number): Promise<number | undefined>;
  /** @throws Invalid at `title` as `add` does, where it is another one. */
  update(before: ProjectMilestone, fields: MilestoneFields, at: Date): Promise<void>;
  /** False when it was in that state already. */
  changeState(id: number, state: MilestoneState, at: Date): Promise<boolean>;
  /** Its issues stay. */
  remove(id: number): Promise<void>;
}

export interface PlanningRepositories {
  readonly issues: IssueRepository;
  readonly subjectLabels: SubjectLabelRepository;
  readonly resourceEvents: ResourceEventRepository;
  readonly milestones: MilestoneRepository;
}
