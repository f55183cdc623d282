import type { User } from '../../../domain/identity/user.js';
import type { CiMap } from '../../../domain/pipelines/ci-file/ci-value.js';
import type { Pipeline } from '../../../domain/pipelines/pipeline.js';
import type { PipelineSchedule } from '../../../domain/pipelines/pipeline-schedule.js';
import type { ProjectId, UserId } from '../../../domain/shared/identifiers.js';
import type { Page, PageRequest } from '../../../domain/shared/page.js';

export interface GivenBySchedule {
  /** What its jobs are given, sealed; null where that is nothing. */
  readonly sealedVariables: string | null;
  /** What the CI file is given. */
  readonly inputs: CiMap;
}

export type StoredSchedule = PipelineSchedule & GivenBySchedule;

export type NewSchedule = Pick<
  PipelineSchedule,
  | 'projectId'
  | 'ownerId'
  | 'description'
  | 'ref'
  | 'tag'
  | 'cron'
  | 'cronTimezone'
  | 'active'
  | 'nextRunAt'
  | 'createdAt'
> &
  GivenBySchedule;

export type ScheduleChange = Partial<
  Omit<StoredSchedule, 'id' | 'projectId' | 'createdAt' | 'updatedAt' | 'lastPlayedAt'>
>;

/** How a schedule goes on after a run. */
export type AfterRun = Pick<PipelineSchedule, 'active' | 'nextRunAt' | 'stoppedBecause' | 'lastProblem'>;

export interface ScheduleRepository {
  /** Whoever else changes the schedules of a project waits until the transaction ends. */
  hold(projectId: ProjectId): Promise<void>;
  countOf(projectId: ProjectId): Promise<number>;
  find(projectId: ProjectId, id: number): Promise<StoredSchedule | undefined>;
  /** Answers its id. */
  add(schedule: NewSchedule): Promise<number>;
  change(id: number, change: ScheduleChange, at: Date): Promise<void>;
  remove(id: number): Promise<void>;
  /** Takes the run that was due when a schedule was read, or ends it. False where another took it, or the schedule isn't as it was. */
  takeRun(read: Pick<PipelineSchedule, 'id' | 'nextRunAt' | 'updatedAt'>, after: AfterRun): Promise<boolean>;
  /** Notes that it is run by hand. False where it was since then, or isn't as it was read. */
  play(read: Pick<PipelineSchedule, 'id' | 'updatedAt'>, at: Date, since: Date): Promise<boolean>;
}

export interface ScheduleRepositories {
  readonly pipelineSchedules: ScheduleRepository;
}

export interface ScheduleDetails extends PipelineSchedule {
  readonly owner: Pick<User, 'id' | 'username' | 'name' | 'state'> | null;
}

export interface ScheduleReader {
  /** @param active only those that are, or aren't. */
  list(projectId: ProjectId, active: boolean | undefined, page: PageRequest): Promise<Page<ScheduleDetails>>;
  find(projectId: ProjectId, id: number): Promise<ScheduleDetails | undefined>;
  givenBy(id: number): Promise<GivenBySchedule>;
  /** Who owns the schedule that made a pipeline; null where that one, or its owner, is gone, and for any other pipeline. */
  ownerByPipeline(pipelineId: number): Promise<UserId | null>;
  /** Those whose time has come: of each project the one that is longest due, then of each the next one. */
  dueBefore(at: Date, limit: number): Promise<readonly PipelineSchedule[]>;
  /** The newest pipeline of each that made one. */
  lastPipelinesOf(ids: readonly number[]): Promise<ReadonlyMap<number, Pipeline>>;
}

/** Reads patterns of cron. */
export interface CronTimes {
  isZone(timezone: string): boolean;
  /** The first time after an instant; undefined for a pattern that is none, or never due. */
  next(cron: string, timezone: string, after: Date): Date | undefined;
}
