import type { CommitStatus, StatusDetails } from '../../../domain/pipelines/commit-status.js';
import type { AskedStatus, Pipeline, PipelineStatus } from '../../../domain/pipelines/pipeline.js';
import type { ObjectId } from '../../../domain/repositories/object-id.js';
import type { ProjectId } from '../../../domain/shared/identifiers.js';
import type { Page, PageRequest, SortDirection } from '../../../domain/shared/page.js';
import type { User } from '../../../domain/identity/user.js';

/** The merge request that a pipeline is for, and its branches then. */
export interface MergeRequestOfPipeline {
  readonly id: number;
  readonly sourceBranch: string;
  readonly targetBranch: string;
}

export type NewPipeline = Pick<Pipeline, 'projectId' | 'sha' | 'ref' | 'tag' | 'source' | 'userId' | 'createdAt'> &
  Partial<Pick<Pipeline, 'beforeSha' | 'yamlErrors' | 'configPath' | 'name' | 'failsAtOnce'>> & {
    readonly mergeRequest?: MergeRequestOfPipeline;
    /** What whoever asked for it gave its jobs, sealed. */
    readonly sealedVariables?: string | null;
    readonly scheduleId?: number | null;
    readonly bridgeId?: number | null;
    readonly depth?: number;
  };

export type NewCommitStatus = Omit<CommitStatus, 'id' | 'latest'>;

/** How a pipeline stands, and since when. */
export type PipelineStanding = Pick<Pipeline, 'status' | 'updatedAt' | 'startedAt' | 'finishedAt' | 'told'>;

/** What a check said last, as far as it decides what may follow. */
export type LastSaid = Pick<
  CommitStatus,
  'id' | 'name' | 'stage' | 'status' | 'allowFailure' | 'authorId' | 'startedAt'
> & {
  /** Whether it is a job of the CI file, whatever its stage is called. */
  readonly ofJob: boolean;
};

/** What a push made of a branch, or of a merge request. */
export type NewestOfBranch = Pick<Pipeline, 'projectId' | 'ref' | 'source' | 'mergeRequestId' | 'sha'>;

export interface PipelineRepository {
  /** Of works that change the pipelines of a project, each waits for the one before. Who changes those of several names them all at once. */
  hold(...projectIds: readonly ProjectId[]): Promise<void>;
  find(id: number): Promise<Pipeline | undefined>;
  /** The one that a job started. */
  ofBridge(bridgeId: number): Promise<Pipeline | undefined>;
  /** Parts of a pipeline that have not ended. */
  childrenOf(pipelineId: number): Promise<readonly Pipeline[]>;
  /** The newest of a commit, of one branch or tag where it is told; not one for a merge request, nor part of another. */
  newest(projectId: ProjectId, sha: ObjectId, ref: string | undefined): Promise<Pipeline | undefined>;
  /** The newest for a merge request, on its way to that branch, of a commit. */
  ofMergeRequest(mergeRequest: MergeRequestOfPipeline, sha: ObjectId): Promise<Pipeline | undefined>;
  /** How the one before it of the same branch, tag or merge request had ended when people were last told. */
  endedBefore(pipeline: Pipeline): Promise<PipelineStatus | undefined>;
  /** Those that were made likewise of other commits, and of which jobs wait or run: the newest ones. */
  olderOfBranch(newest: NewestOfBranch, limit: number): Promise<readonly Pipeline[]>;
  /** Those of `COUNTED_SOURCES`, no further than `most`. */
  countOf(projectId: ProjectId, sha: ObjectId, most: number): Promise<number>;
  /** Gives it the next number of its project. */
  add(pipeline: NewPipeline): Promise<Pipeline>;
  rename(id: number, name: string): Promise<void>;
  saveStanding(id: number, standing: PipelineStanding): Promise<void>;
  /** Up to so many of a project. */
  oldestOf(projectId: ProjectId, limit: number): Promise<readonly number[]>;
  /** With all that was said. */
  remove(ids: readonly number[]): Promise<void>;
}

export interface CommitStatusRepository {
  /** What each check of a pipeline said last. */
  lastSaid(pipelineId: number): Promise<readonly LastSaid[]>;
  add(status: NewCommitStatus): Promise<CommitStatus>;
  /** It goes on: what isn't told stays as it is. */
  goOn(
    id: number,
    to: Pick<CommitStatus, 'status' | 'startedAt' | 'finishedAt'> & Partial<StatusDetails>,
  ): Promise<CommitStatus>;
  /** It isn't what the check said last any more; of such, the newest `kept` of its name and stage stay. */
  outdate(said: Pick<LastSaid, 'id' | 'name' | 'stage'>, pipelineId: number, kept: number): Promise<void>;
}

export interface PipelineRepositories {
  readonly pipelines: PipelineRepository;
  readonly commitStatuses: CommitStatusRepository;
}

type Person = Pick<User, 'id' | 'username' | 'name' | 'state'>;

export interface PipelineDetails extends Pipeline {
  readonly user: Person | null;
  /** The mean of its checks that tell one, in hundredths of a percent. */
  readonly coverage: number | null;
  /** Whether one of its checks that may fail did, or was canceled. */
  readonly warned: boolean;
  /** The number of the merge request that it is for, where that is one of its own project. */
  readonly mergeRequestIid: number | null;
}

export interface CommitStatusDetails extends CommitStatus {
  readonly author: Person | null;
  /** Whether it is a job of the CI file, with a page of its own. */
  readonly ofJob: boolean;
  readonly ref: string;
  readonly sha: ObjectId;
}

export interface PipelineQuery {
  readonly projectId: ProjectId;
  /** `branches` and `tags`: the newest of each. */
  readonly scope?: 'running' | 'pending' | 'finished' | 'branches' | 'tags';
  readonly status?: AskedStatus;
  /** Those that are parts of others are left out unless they are asked for. */
  readonly source?: string;
  readonly ref?: string;
  readonly sha?: ObjectId;
  /** Only those that this schedule made. */
  readonly scheduleId?: number;
  readonly username?: string;
  readonly name?: string;
  /** Whether they tell errors of their CI file. */
  readonly broken?: boolean;
  readonly updatedAfter?: Date;
  readonly updatedBefore?: Date;
  readonly createdAfter?: Date;
  readonly createdBefore?: Date;
  readonly orderBy: 'id' | 'status' | 'ref' | 'updated_at' | 'user_id';
  readonly sort: SortDirection;
  readonly page: PageRequest;
}

export interface PipelinesOfCommitsQuery {
  readonly projectIds: readonly ProjectId[];
  readonly shas: readonly ObjectId[];
  readonly mergeRequestId: number;
  readonly page: PageRequest;
}

export interface CommitStatusQuery {
  readonly projectId: ProjectId;
  readonly sha: ObjectId;
  readonly ref?: string;
  readonly name?: string;
  readonly stage?: string;
  readonly pipelineId?: number;
  /** What was said before as well. */
  readonly all: boolean;
  /** Only what programs elsewhere said: no jobs. */
  readonly withoutJobs?: boolean;
  readonly orderBy: 'id' | 'pipeline_id';
  readonly sort: SortDirection;
  readonly page: PageRequest;
}

/** Those that ended long ago. */
export interface OldPipelineReader {
  /**
   * Of the next so many pipelines, by their ids, those that have ended before an instant and have not changed since, but for what somebody still
   * needs: the newest of each branch, tag or merge request, what made the last deployment to an environment that isn't stopped, and those of which
   * files are kept for good.
   * @returns `last` the id to go on behind; undefined where there are no more of that age.
   */
  endedBefore(
    instant: Date,
    after: number,
    limit: number,
  ): Promise<{ readonly removable: readonly Pick<Pipeline, 'id' | 'projectId'>[]; readonly last: number | undefined }>;
}

export interface PipelineReader {
  find(projectId: ProjectId, id: number): Promise<PipelineDetails | undefined>;
  /** What whoever asked for it gave its jobs, sealed. */
  sealedVariablesOf(id: number): Promise<string | null>;
  list(query: PipelineQuery): Promise<Page<Pipeline>>;
  /** The newest of each of these commits that has one. */
  newestOf(projectId: ProjectId, shas: readonly ObjectId[]): Promise<ReadonlyMap<ObjectId, Pipeline>>;
  /**
   * Those of `LISTED_SOURCES` of commits of some projects, the newest first; of those for merge requests, those for this one alone.
   */
  listOf(query: PipelinesOfCommitsQuery): Promise<Page<Pipeline>>;
  statuses(query: CommitStatusQuery): Promise<Page<CommitStatusDetails>>;
  findStatus(id: number): Promise<CommitStatusDetails | undefined>;
  /** What the checks of a pipeline said last, in the order of their names. */
  checksOf(pipelineId: number): Promise<readonly CommitStatusDetails[]>;
}
