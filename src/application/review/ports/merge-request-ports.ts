import type { SubjectOrder } from '../../collaboration/ports/subject-order.js';
import type { TrackedTime } from '../../collaboration/ports/time-ports.js';
import type { User } from '../../../domain/identity/user.js';
import type { LabelChip } from '../../../domain/planning/label.js';
import type { Milestone, MilestoneStanding } from '../../../domain/planning/milestone.js';
import type { Pipeline, PipelineStatus } from '../../../domain/pipelines/pipeline.js';
import type { ObjectId } from '../../../domain/repositories/object-id.js';
import type { MergeRules } from '../../../domain/review/merge-decision.js';
import type { BranchPair, MergeRequest, MergeRequestState } from '../../../domain/review/merge-request.js';
import type { NamespaceId, ProjectId, UserId } from '../../../domain/shared/identifiers.js';
import type { Page, PageRequest, SortDirection } from '../../../domain/shared/page.js';
import type { PageInBatches } from '../../shared/page-in-batches.js';
import type { Viewer } from '../../workspace/ports/workspace-readers.js';

export type NewMergeRequest = BranchPair &
  Pick<
    MergeRequest,
    | 'title'
    | 'description'
    | 'authorId'
    | 'milestoneId'
    | 'sourceSha'
    | 'squash'
    | 'removeSourceBranch'
    | 'allowCollaboration'
    | 'createdAt'
  >;

export type MergeRequestChanges = Partial<
  Pick<
    MergeRequest,
    | 'title'
    | 'description'
    | 'targetBranch'
    | 'milestoneId'
    | 'squash'
    | 'removeSourceBranch'
    | 'allowCollaboration'
    | 'discussionLocked'
  >
>;

/** How the two branches stand to one another, as git found it. */
export interface Standing extends Pick<
  MergeRequest,
  'sourceSha' | 'status' | 'ahead' | 'behind' | 'branchesThere' | 'conflicts'
> {
  readonly checkedTarget: ObjectId | null;
}

/** What a merge request would change, since its commits became those. */
export interface NewVersion {
  /** The last commit that both branches have. */
  readonly base: ObjectId;
  /** Where the target branch was. */
  readonly start: ObjectId;
  readonly head: ObjectId;
  readonly fileCount: number;
  /** There was more than is shown. */
  readonly overflow: boolean;
}

export interface Version extends NewVersion {
  readonly id: number;
  readonly createdAt: Date;
}

/** One that was looked at before its target branch moved, and whose source has not. */
export interface SeenBefore {
  readonly id: number;
  readonly source: ObjectId;
  /** Where the target was then. */
  readonly target: ObjectId;
  /** Whether anybody has talked about its lines. */
  readonly discussed: boolean;
}

/** What became of one that was merged. */
export interface Merged {
  readonly mergeCommitSha: ObjectId | null;
  readonly squashCommitSha: ObjectId | null;
  readonly sourceBranchRemoved: boolean | null;
  readonly by: UserId;
}

export type PeopleKind = 'assignees' | 'reviewers';

export interface ChangedPeople {
  readonly added: readonly UserId[];
  readonly removed: readonly UserId[];
}

export interface MergeRequestRepository {
  /** Gives it the next number of its project. @throws OpenTwin when one is open already for its branches. */
  add(mergeRequest: NewMergeRequest): Promise<MergeRequest>;
  /** As it is now; of works that take it, each waits for the one before. Taken after projects, before alerts, milestones and issues. */
  take(id: number): Promise<MergeRequest | undefined>;
  update(id: number, changes: MergeRequestChanges, at: Date): Promise<void>;
  /** False when it was in that state already, or is merged. @throws OpenTwin. */
  changeState(id: number, state: 'opened' | 'closed', by: UserId, at: Date): Promise<boolean>;
  /** False when it isn't open any more. */
  merge(id: number, merged: Merged, at: Date): Promise<boolean>;
  saveStanding(id: number, standing: Standing): Promise<void>;
  /**
   * Takes those of these that lead to a branch, that nobody has looked at since it moved, and whose source is where it was when somebody
   * did.
   */
  takeUnmoved(ids: readonly number[], projectId: ProjectId, branch: string): Promise<readonly MergeRequest[]>;
  /** Of these, which can be merged as before, the target has moved on by so many commits. */
  fallBehind(ids: readonly number[], to: { readonly target: ObjectId; readonly by: number }): Promise<void>;
  saveError(id: number, error: string | null): Promise<void>;
  /** Where its source was when it got its last version. */
  lastHead(id: number): Promise<ObjectId | undefined>;
  /** Does nothing where that is its newest version already. */
  addVersion(id: number, version: NewVersion, at: Date): Promise<void>;
  remove(id: number): Promise<void>;
  peopleOf(id: number, kind: PeopleKind): Promise<readonly UserId[]>;
  /** Unknown users are left out. */
  setPeople(id: number, kind: PeopleKind, userIds: readonly UserId[]): Promise<ChangedPeople>;
  /** Of these users, those who see the merge requests of a project on a UTC day. */
  choosable(projectId: ProjectId, userIds: readonly UserId[], today: string): Promise<readonly UserId[]>;
  /** The issues that its text names. */
  setIssues(id: number, issues: readonly { readonly id: number; readonly closes: boolean }[]): Promise<void>;
  closing(id: number): Promise<readonly number[]>;
  /** False when they have approved it already. */
  approve(id: number, userId: UserId, at: Date): Promise<boolean>;
  /** False when they have not. */
  unapprove(id: number, userId: UserId): Promise<boolean>;
  resetApprovals(id: number): Promise<void>;
  /** Those of people who may still approve it. `today` is the UTC day, for memberships that end. */
  countApprovals(id: number, today: string): Promise<number>;
  hasOpenDiscussions(id: number): Promise<boolean>;
  /** Whether the CI file of its newest commit is still to be read. Asked before how its pipeline stands: once it is read, that is there. */
  awaitsPipeline(id: number): Promise<boolean>;
  /** The newest of its newest commit, as it is now. */
  pipelineOf(id: number): Promise<Pipeline | null>;
  /** Whether any is open that comes from a branch of a project, or goes to it. */
  hasOpenAround(projectId: ProjectId, branch: string): Promise<boolean>;
  /** Open ones whose source a branch is. */
  comingFrom(projectId: ProjectId, branch: string): Promise<readonly MergeRequest[]>;
  /** Notes where the source is now: what was known of how it stands is out of date. */
  moveSource(id: number, sourceSha: ObjectId, at: Date): Promise<void>;
  /** Of every open one that comes from a branch or leads to it, how it stands is out of date. False where there is none. */
  outdate(projectId: ProjectId, branch: string): Promise<boolean>;
  /** Closes at most `limit` open ones of other projects that come from this one; answers how many. */
  closeFrom(projectId: ProjectId, limit: number): Promise<number>;
  /** Whether new commits take back the approvals of a project. */
  resetsApprovals(projectId: ProjectId): Promise<boolean>;
}

/** One is open already for the branches. */
export class OpenTwin extends Error {}

/** A person as merge requests name them. */
export type Person = Pick<User, 'id' | 'username' | 'name' | 'state'>;

export interface MergeRequestDetails extends MergeRequest {
  readonly projectPath: string;
  readonly author: Person | null;
  readonly mergedBy: Person | null;
  readonly closedBy: Person | null;
  readonly assignees: readonly Person[];
  readonly reviewers: readonly Person[];
  readonly milestone: Milestone | null;
  readonly labels: readonly string[];
  readonly userNotesCount: number;
  readonly upvotes: number;
  readonly downvotes: number;
  readonly time: TrackedTime;
  /** Whether a thread waits for something to be done. */
  readonly unresolvedDiscussions: boolean;
  readonly approvals: number;
  readonly rules: MergeRules;
  /** Whether CI is switched on for its project: what its pipeline says counts for nothing otherwise. */
  readonly runsCi: boolean;
  /** The newest of its newest commit: of its project, else of that of its source branch. */
  readonly pipeline: Pipeline | null;
  /** Who wants it merged once that succeeds. */
  readonly mergesBy: Person | null;
  /** Whether they want its source branch to go with it; null where nobody waits, or they said nothing of it. */
  readonly mergesWithRemoval: boolean | null;
}

type ShownInLists =
  | ('id' | 'iid' | 'projectPath' | 'title' | 'state' | 'sourceBranch' | 'targetBranch' | 'createdAt')
  | ('author' | 'assignees' | 'reviewers' | 'approvals');

/** What a list shows of a merge request. */
export interface MergeRequestHead extends Pick<MergeRequestDetails, ShownInLists> {
  readonly draft: boolean;
  readonly hasConflicts: boolean;
  readonly labels: readonly LabelChip[];
  readonly milestoneTitle: string | null;
  /** How the pipeline of its newest commit stands. */
  readonly pipelineStatus: PipelineStatus | null;
}

/** What a merge request that is listed doesn't have. */
export interface MergeRequestExclusions {
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
  readonly reviewerId?: UserId;
  readonly reviewerUsername?: string;
  readonly reaction?: string;
  readonly sourceBranch?: string;
  readonly targetBranch?: string;
}

export interface MergeRequestFilters {
  /** Those of projects whose merge requests they may not see are left out. */
  readonly viewer: Viewer;
  readonly projectId?: ProjectId;
  /** Those of the projects of a group and of everything below it. */
  readonly within?: NamespaceId;
  readonly archived?: boolean;
  readonly state?: MergeRequestState;
  readonly iids?: readonly number[];
  /** All of them. */
  readonly labels?: readonly string[];
  readonly labelled?: boolean;
  /** Of a milestone of a group in all projects. */
  readonly milestoneId?: number;
  readonly milestoneTitle?: string;
  /** Planned for a milestone of the release of this tag: of one project, and for who may read its code. */
  readonly releaseTag?: string;
  readonly planned?: boolean;
  /** Planned for an open milestone that stands so on the day of the viewer. */
  readonly milestoneStands?: MilestoneStanding;
  readonly authorId?: UserId;
  readonly authorUsername?: string;
  readonly assigneeId?: UserId;
  readonly assigned?: boolean;
  readonly reviewerId?: UserId;
  readonly reviewerUsername?: string;
  readonly reviewed?: boolean;
  readonly sourceBranch?: string;
  readonly targetBranch?: string;
  readonly sourceProjectId?: ProjectId;
  /** Part of title or description. */
  readonly search?: string;
  /** Where it is looked for; in both unless told. */
  readonly searchIn?: 'title' | 'description';
  /** To all of them. */
  readonly assigneeUsernames?: readonly string[];
  readonly mergeUserId?: UserId;
  readonly mergeUsername?: string;
  /** By all of them. */
  readonly approvedByIds?: readonly UserId[];
  readonly approvedByUsernames?: readonly string[];
  /** Whether as many approved it as its project asks for, and somebody did. */
  readonly approved?: boolean;
  /** Whether anybody approved it. */
  readonly approvedByAnybody?: boolean;
  /** An emoji that the viewer awarded it; whether they awarded any. */
  readonly reaction?: string;
  readonly reacted?: boolean;
  readonly not?: MergeRequestExclusions;
  readonly draft?: boolean;
  readonly createdAfter?: Date;
  readonly createdBefore?: Date;
  readonly updatedAfter?: Date;
  readonly updatedBefore?: Date;
  /** Those that close an issue, or that only name it too. */
  readonly issue?: { readonly id: number; readonly closing: boolean };
  /** Those that brought one of these commits, or would. */
  readonly commits?: readonly ObjectId[];
  /** Those that deployments were the first to bring to an environment, as far as the viewer may know of deployments. */
  readonly deployed?: { readonly environment?: string; readonly after?: Date; readonly before?: Date };
}

export interface MergeRequestQuery extends MergeRequestFilters {
  readonly orderBy: SubjectOrder | 'merged_at';
  readonly sort: SortDirection;
  readonly page: PageRequest;
}

export type MergeRequestCounts = Readonly<Record<MergeRequestState, number>>;

export interface Approval {
  readonly person: Person;
  readonly at: Date;
  /** Not while who approved may not do so any more. */
  readonly counts: boolean;
}

/** An issue by what people call it. */
export interface NamedIssue {
  readonly projectId: ProjectId;
  readonly projectPath: string;
  readonly iid: number;
}

/** An open merge request that lets those who may merge it push to its source branch. */
export type InvitingMergeRequest = BranchPair & Pick<MergeRequest, 'authorId'>;

export interface MergeRequestReader {
  find(projectId: ProjectId, iid: number): Promise<MergeRequestDetails | undefined>;
  /** By the id that is its own in the whole installation. */
  findById(id: number): Promise<MergeRequestDetails | undefined>;
  /** Those of these ids that are there. */
  findMany(ids: readonly number[]): Promise<readonly MergeRequestDetails[]>;
  /** The number of the open one for these branches. */
  findOpenTwin(pair: BranchPair): Promise<number | undefined>;
  list(query: MergeRequestQuery): Promise<PageInBatches<MergeRequestDetails>>;
  listHeads(query: MergeRequestQuery): Promise<Page<MergeRequestHead>>;
  /** How many are in each state; undefined where there are more than that together. */
  countByState(filters: MergeRequestFilters, most: number): Promise<MergeRequestCounts | undefined>;
  /** The newest first. */
  versions(id: number): Promise<readonly Version[]>;
  newestVersion(id: number): Promise<Version | undefined>;
  /** The newest last. */
  approvals(id: number): Promise<readonly Approval[]>;
  /** Who commented on it, or was told that they are mentioned there; the first thousand. */
  inDiscussion(id: number): Promise<readonly Person[]>;
  /** The issues that it says it closes. */
  closedIssues(id: number): Promise<readonly NamedIssue[]>;
  /** The issues that its text names, those that it closes among them. */
  namedIssues(id: number): Promise<readonly NamedIssue[]>;
  /** Branches of a fork that open merge requests into what it was forked from come from, whose authors let those who merge push. */
  collaborative(sourceProjectId: ProjectId): Promise<readonly InvitingMergeRequest[]>;
  /**
   * Open ones that come from a branch or lead to it, by their ids, after one of them: those that nobody has looked at since a branch moved,
   * and those that have nothing left to be merged.
   */
  toLookAt(projectId: ProjectId, branch: string, after: number, limit: number): Promise<readonly number[]>;
  /** Those of these that lead to a branch, were looked at before it moved, and would change what they changed then. */
  seenBefore(projectId: ProjectId, branch: string, ids: readonly number[]): Promise<readonly SeenBefore[]>;
  /** As in `MergeRequestRepository`. */
  awaitsPipeline(id: number): Promise<boolean>;
  /** Without what stands beside it. */
  findPlain(id: number): Promise<MergeRequest | undefined>;
}

/** How somebody wants a merge request merged once its pipeline succeeds. */
export interface AutomaticMerge {
  readonly mergeRequestId: number;
  readonly userId: UserId;
  /** The commit that they looked at: no other is merged. */
  readonly sha: ObjectId;
  readonly options: MergeOptions;
  readonly createdAt: Date;
}

/** What whoever merges may choose; what isn't told is as it was opened, or as its project has it. */
export interface MergeOptions {
  readonly message?: string;
  readonly squashMessage?: string;
  readonly squash?: boolean;
  readonly removeSourceBranch?: boolean;
}

export interface AutomaticMergeRepository {
  find(mergeRequestId: number): Promise<AutomaticMerge | undefined>;
  /** In place of one that is there. */
  set(merge: AutomaticMerge): Promise<void>;
  /** False where there is none. */
  remove(mergeRequestId: number): Promise<boolean>;
  /** Some whose pipeline hasn't succeeded, and never will as things are: CI is switched off for its project or that of the merge request. */
  withoutCi(limit: number): Promise<readonly AutomaticMerge[]>;
  /** Of open merge requests of a commit that come from or lead to a project: those that may be due now. */
  waitingFor(projectId: ProjectId, sha: ObjectId): Promise<readonly AutomaticMerge[]>;
}

export interface ReviewRepositories {
  readonly mergeRequests: MergeRequestRepository;
  readonly automaticMerges: AutomaticMergeRepository;
}
