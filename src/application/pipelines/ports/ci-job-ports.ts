import type { CiArtifact } from '../../../domain/pipelines/artifact.js';
import type { CiJob } from '../../../domain/pipelines/ci-job.js';
import type { PlannedJob } from '../../../domain/pipelines/ci-file/plan.js';
import type {
  CiRunner,
  RunnerAbout,
  RunnerFields,
  RunnerStanding,
  RunnerType,
} from '../../../domain/pipelines/ci-runner.js';
import type { CheckStatus } from '../../../domain/pipelines/commit-status.js';
import type { JobsByTags } from '../../../domain/pipelines/room-for-jobs.js';
import type { SharingJob } from '../../../domain/pipelines/resource-group.js';
import type { WaitingJob } from '../../../domain/pipelines/job-processing.js';
import type { AskedStatus, Pipeline } from '../../../domain/pipelines/pipeline.js';
import type { GroupId, ProjectId, UserId } from '../../../domain/shared/identifiers.js';
import type { Page, PageRequest } from '../../../domain/shared/page.js';
import type { User } from '../../../domain/identity/user.js';
import type { Viewer } from '../../workspace/ports/workspace-readers.js';
import type { CiArtifactRepository } from './artifact-ports.js';
import type { ResourceGroupRepository } from './resource-group-ports.js';

export interface NewCiJob {
  readonly projectId: ProjectId;
  readonly pipelineId: number;
  readonly definition: PlannedJob;
  readonly protectedRef: boolean;
  readonly userId: UserId | null;
  readonly createdAt: Date;
  /** What whoever began the one before it by hand gave that one. */
  readonly sealedVariables?: string | null;
}

/** How a job stands otherwise than before; what isn't told stays as it is. */
export type JobChange = Partial<
  Pick<
    CiJob,
    | 'status'
    | 'allowFailure'
    | 'startedAt'
    | 'finishedAt'
    | 'coverage'
    | 'latest'
    | 'queuedAt'
    | 'timeoutSeconds'
    | 'runnerId'
    | 'failureReason'
    | 'exitCode'
    | 'erasedAt'
    | 'logRemovedAt'
    | 'givesUpAt'
    | 'userId'
    | 'protectedRef'
    | 'debug'
  >
> & {
  /** Whether it waits for a runner. */
  readonly queued?: boolean;
  readonly tokenDigest?: string;
  /** What whoever begins it by hand gives it. */
  readonly sealedVariables?: string;
};

/** A job whose turn has come, and which starts a pipeline. */
export type BegunBridge = Pick<CiJob, 'id' | 'projectId' | 'userId'>;

/** A part of a log. */
export interface LogPiece {
  /** Where it begins, in bytes. */
  readonly start: number;
  readonly content: Uint8Array;
  readonly writtenAt: Date;
  /** Whether the log may tell the variables of its job from here on. */
  readonly debug?: boolean;
}

/** Jobs of a pipeline that is held. */
export interface CiJobRepository {
  /** Their names are different. Answers their ids. */
  addAll(jobs: readonly NewCiJob[]): Promise<readonly number[]>;
  find(id: number): Promise<CiJob | undefined>;
  /** What whoever began it by hand gave it. */
  sealedVariablesOf(id: number): Promise<string | null>;
  /** Of a pipeline those that haven't been run again, in the order of their stages. */
  standingsOf(pipelineId: number): Promise<readonly WaitingJob[]>;
  /** The same in full; those that have been run again as well where every run is wanted. */
  ofPipeline(pipelineId: number, which?: 'every run'): Promise<readonly CiJob[]>;
  /** Several at once that wait or run. */
  cancel(ids: readonly number[], at: Date): Promise<void>;
  /** Of pipelines of a project in which something goes on: those that haven't been run again. */
  goingOn(projectId: ProjectId): Promise<JobsByTags>;
  /** The same of one pipeline, however it stands. */
  tagsOf(pipelineId: number): Promise<JobsByTags>;
  /** How often one of this name was run in its pipeline. */
  runsOf(pipelineId: number, name: string): Promise<number>;
  change(id: number, change: JobChange): Promise<void>;
  /** Several at once that wait for a runner from now on, and give up then. */
  enqueue(ids: readonly number[], at: Date, givesUpAt: Date): Promise<void>;
  /** The same of several that start pipelines, and wait for no runner; answers for whom they do. */
  beginBridges(ids: readonly number[], at: Date, givesUpAt: Date): Promise<readonly BegunBridge[]>;
  setStatus(ids: readonly number[], status: CheckStatus): Promise<void>;
  /** Several at once that wait from now on for what of their project they share. */
  awaitResource(ids: readonly number[], at: Date): Promise<void>;
  /** Several at once that begin then. */
  schedule(ids: readonly number[], beginsAt: Date): Promise<void>;
  /** Of a pipeline those that were to begin by then. */
  dueOf(pipelineId: number, at: Date): Promise<readonly CiJob[]>;
  /** Those of a project that wait for one of these, or have it: in the order in which they came. */
  sharingOf(projectId: ProjectId, resourceGroups: readonly string[]): Promise<readonly SharingJob[]>;
  /** Of a pipeline up to so many that stand otherwise than when they were taken last: each standing is taken once. */
  takeUntold(pipelineId: number, limit: number): Promise<readonly Pick<CiJob, 'id' | 'status'>[]>;
  /** The same of a job whose log is written: whoever else writes it waits until the transaction ends. */
  takeLog(id: number): Promise<CiJob | undefined>;
  /** It gives up later. One that has ended meanwhile stays as it is: this alone may come while its pipeline isn't held. */
  heardOf(id: number, givesUpAt: Date): Promise<void>;
  /** Adds to the end of its log. */
  appendLog(id: number, piece: LogPiece): Promise<void>;
  /** It has none then. */
  removeLog(id: number): Promise<void>;
  /** The same of up to so many jobs of pipelines that are about to go; answers their ids. */
  removeLogsOf(pipelineIds: readonly number[], limit: number): Promise<readonly number[]>;
}

export interface CiRunnerRepository {
  /** @param projectIds whose jobs it takes, where it is one of projects. */
  add(
    runner: RunnerFields & {
      readonly type: RunnerType;
      readonly groupId: GroupId | null;
      readonly tokenDigest: string;
      readonly createdBy: UserId;
      readonly createdAt: Date;
    },
    projectIds: readonly ProjectId[],
  ): Promise<CiRunner>;
  /** Whoever else asks waits until the transaction ends. */
  take(id: number): Promise<CiRunner | undefined>;
  save(id: number, fields: RunnerFields): Promise<CiRunner>;
  setToken(id: number, tokenDigest: string): Promise<void>;
  remove(id: number): Promise<void>;
  count(limit: number): Promise<number>;
  /** Of those that take jobs of this project because it was chosen; no further than `limit`. Whoever else counts waits. */
  countOf(projectId: ProjectId, limit: number): Promise<number>;
  /** Of those that are this group's own; no further than `limit`. Whoever else counts waits. */
  countOfGroup(groupId: GroupId, limit: number): Promise<number>;
  projectsOf(id: number): Promise<readonly ProjectId[]>;
  enable(id: number, projectId: ProjectId): Promise<void>;
  /** False where it didn't take its jobs. */
  disable(id: number, projectId: ProjectId): Promise<boolean>;
  /** Whether it takes the jobs of a project, as things are now. */
  takesJobsOf(runner: CiRunner, projectId: ProjectId): Promise<boolean>;
  contacted(id: number, at: Date, about: RunnerAbout, address: string | null): Promise<void>;
  /** Those that take jobs of this project alone. */
  removeOfProject(projectId: ProjectId): Promise<void>;
}

export interface CiRepositories {
  readonly ciJobs: CiJobRepository;
  readonly ciRunners: CiRunnerRepository;
  readonly ciArtifacts: CiArtifactRepository;
  readonly resourceGroups: ResourceGroupRepository;
}

type Person = Pick<User, 'id' | 'username' | 'name' | 'state'>;

export interface CiJobDetails extends CiJob {
  readonly user: Person | null;
  readonly runner: CiRunner | null;
  readonly pipeline: Pipeline;
  readonly artifacts: readonly CiArtifact[];
}

export interface CiJobQuery {
  readonly projectId?: ProjectId;
  readonly pipelineId?: number;
  readonly runnerId?: number;
  /** Only those of projects whose code somebody may read. */
  readonly readableBy?: Viewer;
  /** Only those that stand so; all where none is named. */
  readonly scope: readonly AskedStatus[];
  /** Those that start pipelines, in place of all others. */
  readonly bridges?: boolean;
  /** Those that have been run again as well. */
  readonly includeRetried: boolean;
  readonly page: PageRequest;
}

/** A job that waits for a runner. */
export interface QueuedJob {
  readonly id: number;
  readonly projectId: ProjectId;
}

export interface JobQueue {
  /**
   * What a runner may take, project by project: first those of which fewer jobs run, then where one waits longest; of each project
   * what waits longest.
   */
  waitingFor(runner: CiRunner, limit: number): AsyncIterable<QueuedJob>;
}

export interface CiJobReader {
  find(projectId: ProjectId, id: number): Promise<CiJobDetails | undefined>;
  /** What whoever began it by hand gave it. */
  sealedVariablesOf(id: number): Promise<string | null>;
  /** What it is given: by whoever asked for its pipeline, and then by whoever began it by hand. */
  sealedVariablesFor(id: number): Promise<readonly string[]>;
  /** Those of these that the project has. */
  some(projectId: ProjectId, ids: readonly number[]): Promise<readonly CiJobDetails[]>;
  list(query: CiJobQuery): Promise<Page<CiJobDetails>>;
  /** Of a pipeline those that haven't been run again, in the order of their stages. */
  ofPipeline(pipelineId: number): Promise<readonly CiJob[]>;
  findByToken(tokenDigest: string): Promise<CiJob | undefined>;
  /** Those of which nothing was heard for too long. */
  givenUpBefore(at: Date, limit: number): Promise<readonly CiJob[]>;
  /** Pipelines of which jobs were to begin by then, those after an id. */
  pipelinesDue(at: Date, after: number, limit: number): Promise<readonly Pick<Pipeline, 'id' | 'projectId'>[]>;
  /** Jobs that have ended and have a log to which nothing was written since then, the oldest first. */
  logsWrittenBefore(at: Date, limit: number): Promise<readonly number[]>;
  /** Its log, from a byte on. */
  log(id: number, from?: number): AsyncIterable<Uint8Array>;
}

export interface CiRunnerQuery {
  readonly type?: RunnerType;
  readonly paused?: boolean;
  /** Those that stand so at this instant. */
  readonly standing?: { readonly is: RunnerStanding; readonly at: Date };
  readonly tags: readonly string[];
  /** Those that take jobs of a project. */
  readonly projectId?: ProjectId;
  /** Those that take the jobs of all projects of a group: its own, those of the groups above it, and of the installation. */
  readonly groupId?: GroupId;
  /** Those that somebody looks after, alone or with others: of their groups and projects, and for administrators all. */
  readonly managedBy?: Viewer;
  readonly page: PageRequest;
}

export interface CiRunnerReader {
  find(id: number): Promise<CiRunner | undefined>;
  findByToken(tokenDigest: string): Promise<CiRunner | undefined>;
  list(query: CiRunnerQuery): Promise<Page<CiRunner>>;
  projectsOf(id: number): Promise<readonly ProjectId[]>;
  /** Those of them that somebody sees. */
  visibleProjectsOf(id: number, viewer: Viewer): Promise<readonly ProjectId[]>;
}
