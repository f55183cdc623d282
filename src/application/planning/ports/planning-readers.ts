import type { Issue, IssueState } from '../../../domain/planning/issue.js';
import type { Label, LabelChip, UsableLabel } from '../../../domain/planning/label.js';
import type { Milestone, MilestoneStanding, MilestoneState } from '../../../domain/planning/milestone.js';
import type { TrackedTime } from '../../collaboration/ports/time-ports.js';
import type { Person } from '../../collaboration/ports/note-ports.js';
import type { SubjectOrder } from '../../collaboration/ports/subject-order.js';
import type { NamespaceId, ProjectId, UserId } from '../../../domain/shared/identifiers.js';
import type { PageInBatches } from '../../shared/page-in-batches.js';
import type { Page, PageRequest, SortDirection } from '../../../domain/shared/page.js';
import type { Viewer } from '../../workspace/ports/workspace-readers.js';

/** An issue with everything that is shown of it. */
export interface IssueDetails extends Issue {
  readonly projectPath: string;
  readonly author: Person | null;
  readonly closedBy: Person | null;
  readonly assignees: readonly Person[];
  readonly labels: readonly string[];
  readonly milestone: Milestone | null;
  readonly userNotesCount: number;
  /** Merge requests that close it once they are merged. */
  readonly mergeRequestsCount: number;
  readonly upvotes: number;
  readonly downvotes: number;
  readonly time: TrackedTime;
}

/** What a list shows of an issue beside its texts. */
export type IssueHead = Pick<
  IssueDetails,
  | 'id'
  | 'iid'
  | 'projectPath'
  | 'kind'
  | 'title'
  | 'state'
  | 'severity'
  | 'confidential'
  | 'createdAt'
  | 'dueDate'
  | 'author'
  | 'assignees'
> & { readonly labels: readonly LabelChip[]; readonly milestoneTitle: string | null };

/** What an issue that is listed doesn't have. */
export interface IssueExclusions {
  /** None of them. */
  readonly labels?: readonly string[];
  readonly milestoneTitle?: string;
  readonly planned?: boolean;
  readonly milestoneStands?: MilestoneStanding;
  readonly authorId?: UserId;
  readonly authorUsername?: string;
  readonly assigneeId?: UserId;
  /** None of them. */
  readonly assigneeUsernames?: readonly string[];
  readonly reaction?: string;
  readonly iids?: readonly number[];
}

/** What narrows the issues that somebody may see. */
export interface IssueFilters {
  /** Confidential issues, and those of projects that they may not see, are left out. */
  readonly viewer: Viewer;
  readonly projectId?: ProjectId;
  /** Only those of projects in this group, and in the groups below it. */
  readonly within?: NamespaceId;
  readonly archived?: boolean;
  readonly state?: IssueState;
  readonly kind?: Issue['kind'];
  readonly iids?: readonly number[];
  /** All of them. */
  readonly labels?: readonly string[];
  readonly labelled?: boolean;
  /** Of a milestone of a group in all projects. */
  readonly milestoneId?: number;
  /** Of whichever project. */
  readonly milestoneTitle?: string;
  /** Planned for a milestone of the release of this tag: of one project, and for who may read its code. */
  readonly releaseTag?: string;
  readonly planned?: boolean;
  /** Planned for an open milestone that stands so on the day of the viewer. */
  readonly milestoneStands?: MilestoneStanding;
  readonly authorId?: UserId;
  readonly authorUsername?: string;
  readonly assigneeId?: UserId;
  /** To all of them. */
  readonly assigneeUsernames?: readonly string[];
  /** Whether anybody is. */
  readonly assigned?: boolean;
  readonly search?: string;
  /** Where it is looked for; in both unless told. */
  readonly searchIn?: 'title' | 'description';
  readonly confidential?: boolean;
  /** Whether they are due at all. */
  readonly due?: boolean;
  /** First and last day, as in 2026-12-24. */
  readonly dueFrom?: string;
  readonly dueTo?: string;
  readonly createdAfter?: Date;
  readonly createdBefore?: Date;
  readonly updatedAfter?: Date;
  readonly updatedBefore?: Date;
  /** An emoji that the viewer awarded it; whether they awarded any. */
  readonly reaction?: string;
  readonly reacted?: boolean;
  readonly not?: IssueExclusions;
}

export interface IssueQuery extends IssueFilters {
  /** `relative_position` is where people have put them, among those of their project. */
  readonly orderBy: SubjectOrder | 'due_date' | 'relative_position';
  readonly sort: SortDirection;
  readonly page: PageRequest;
}

export interface LabelQuery {
  /** Part of the name or description; case does not count for letters from A to Z. */
  readonly search?: string;
  /** Whose subscriptions are told; nobody's unless told. */
  readonly subscriber?: UserId | null;
  /** Those of groups above as well, unless this is false. */
  readonly withThoseAbove?: boolean;
}

export interface ListedLabel extends UsableLabel {
  readonly subscribed: boolean;
}

export interface PlanningReader {
  /** @param viewer counts what they may see of what belongs to it: whether they may see the issue itself is not asked. */
  findIssue(projectId: ProjectId, iid: number, viewer: Viewer): Promise<IssueDetails | undefined>;
  /** Those of these ids that are there. @param viewer likewise. */
  findIssues(ids: readonly number[], viewer: Viewer): Promise<readonly IssueDetails[]>;
  /** The issue that was moved here and went on as another. */
  movedFrom(issueId: number): Promise<number | undefined>;
  listIssues(query: IssueQuery): Promise<PageInBatches<IssueDetails>>;
  listIssueHeads(query: IssueQuery): Promise<Page<IssueHead>>;
  /** How many are open and closed, each no further than `COUNT_LIMIT`. */
  countIssues(filters: IssueFilters): Promise<Readonly<Record<IssueState, number>>>;
  /** The same by a look at all of them together; undefined where there are more than that. */
  countByState(filters: IssueFilters, most: number): Promise<Readonly<Record<IssueState, number>> | undefined>;
  /** Who commented on an issue, or was told that they are mentioned there; the first thousand. */
  inDiscussion(issueId: number): Promise<readonly Person[]>;
  /** Those that issues and merge requests of a project can have: its own, and those of the groups above it. */
  listLabels(projectId: ProjectId, page: PageRequest, query?: LabelQuery): Promise<Page<ListedLabel>>;
  /** All that issues or merge requests have, each once. */
  labelsOn(subjectIds: readonly number[]): Promise<readonly (Label & { readonly projectId: ProjectId })[]>;
  /** One of those. @param idOrName digits alone are an id. */
  findLabel(projectId: ProjectId, idOrName: string): Promise<UsableLabel | undefined>;
}

/** A milestone with the path that its address is made of. */
export interface MilestoneDetails extends Milestone {
  /** Null for one of a group. */
  readonly projectPath: string | null;
}

export interface MilestoneFilters {
  readonly iids?: readonly number[];
  readonly state?: MilestoneState;
  /** Any of them. */
  readonly titles?: readonly string[];
  /** Part of title or description. */
  readonly search?: string;
  /** Only those that were changed last at this time or later, or at it or before. */
  readonly updatedAfter?: Date;
  readonly updatedBefore?: Date;
  readonly page: PageRequest;
}

export interface MilestoneQuery extends MilestoneFilters {
  readonly projectId: ProjectId;
  /** Those of groups above that the project can use as well. */
  readonly withThoseAbove?: boolean;
}

export interface MilestoneReader {
  /** One of the project itself, by its id; or by its number within the project, which it has also where it is a milestone of the group now. */
  find(
    projectId: ProjectId,
    which: { readonly id: number } | { readonly iid: number },
  ): Promise<MilestoneDetails | undefined>;
  /** Those that the project uses, its own and those of groups, by what its issues and releases refer to. */
  findAll(projectId: ProjectId, rowIds: readonly number[]): Promise<readonly MilestoneDetails[]>;
  /** The ids that everybody knows milestones by, by what issues and merge requests refer to. */
  knownAs(rowIds: readonly number[]): Promise<ReadonlyMap<number, number>>;
  /** What is due first comes first, and last what is never due. */
  list(query: MilestoneQuery): Promise<PageInBatches<MilestoneDetails>>;
}
