import type { ProjectId, UserId } from '../shared/identifiers.js';
import { isFinished, type CheckStatus } from './commit-status.js';
import type { PlannedJob } from './ci-file/plan.js';

/** When a job begins, once those before it have ended. */
export type JobWhen = PlannedJob['when'];

/** Why a job failed, in the words that clients know. */
export const FAILURE_REASONS = [
  'unknown_failure',
  'script_failure',
  'api_failure',
  'stuck_or_timeout_failure',
  'runner_system_failure',
  'missing_dependency_failure',
  'runner_unsupported',
  'job_execution_timeout',
  'archived_failure',
  'unmet_prerequisites',
  'scheduler_failure',
  'data_integrity_failure',
  'no_matching_runner',
  'trace_size_exceeded',
  'builds_disabled',
  'user_blocked',
  'ci_quota_exceeded',
  'image_pull_failure',
  'environment_creation_failure',
  'downstream_bridge_project_not_found',
  'insufficient_bridge_permissions',
  'downstream_pipeline_creation_failed',
  'reached_max_descendant_pipelines_depth',
] as const;
export type FailureReason = (typeof FAILURE_REASONS)[number];

/** One job of a pipeline. It is one of the checks of its commit, and shares its id. */
export interface CiJob {
  readonly id: number;
  readonly projectId: ProjectId;
  readonly pipelineId: number;
  readonly name: string;
  readonly stage: string;
  readonly stageIndex: number;
  readonly status: CheckStatus;
  readonly allowFailure: boolean;
  readonly when: JobWhen;
  /** What the CI file says of it. */
  readonly definition: PlannedJob;
  /** Whether its branch or tag was protected when it was made, and has been whenever a runner was to take it. */
  readonly protectedRef: boolean;
  /** In whose name it runs; null once they are gone. */
  readonly userId: UserId | null;
  readonly runnerId: number | null;
  readonly createdAt: Date;
  /** Since when it waits for a runner. */
  readonly queuedAt: Date | null;
  readonly startedAt: Date | null;
  readonly finishedAt: Date | null;
  /** How long it may run, once a runner has taken it; null before. */
  readonly timeoutSeconds: number | null;
  /** When it has failed unless something is heard of it before; null where nothing is awaited. */
  readonly givesUpAt: Date | null;
  /** When it begins, where it waits for its time; null otherwise. */
  readonly beginsAt: Date | null;
  readonly failureReason: FailureReason | null;
  readonly exitCode: number | null;
  /** In hundredths of a percent. */
  readonly coverage: number | null;
  /** Whether its log may tell the variables that it was given. */
  readonly debug: boolean;
  /** Size of its log. */
  readonly logBytes: number;
  /** When somebody threw its log away. */
  readonly erasedAt: Date | null;
  /** When its log was removed because it was old. */
  readonly logRemovedAt: Date | null;
  /** False once it has been run again. */
  readonly latest: boolean;
}

/** Of those that wait or run. */
export const isAlive = (status: CheckStatus): boolean => !isFinished(status);

const AGAIN: ReadonlySet<CheckStatus> = new Set<CheckStatus>(['success', 'failed', 'canceled']);

/** Whether a job can be run once more. */
export const isRetryable = ({ status, latest }: Pick<CiJob, 'status' | 'latest'>): boolean =>
  latest && AGAIN.has(status);

/** Whether somebody may begin a job by hand: one that waits for somebody, or for its time. */
export const isPlayable = ({ status, latest }: Pick<CiJob, 'status' | 'latest'>): boolean =>
  latest && (status === 'manual' || status === 'scheduled');

/** Whether a newer commit may take the place of what these do: nothing has begun that must not be interrupted. */
export const mayBeReplaced = (jobs: readonly Pick<CiJob, 'startedAt' | 'definition'>[]): boolean =>
  jobs.every(({ startedAt, definition }) => startedAt === null || definition.interruptible);

const WAITS: ReadonlySet<JobWhen> = new Set<JobWhen>(['manual', 'delayed']);

/** Whether a job, once its turn has come, still waits for somebody or for its time. */
export const waitsToBegin = ({ when }: Pick<CiJob, 'when'>): boolean => WAITS.has(when);

const MOST_RETRIES = 2;

interface Failure {
  readonly reason: FailureReason;
  readonly exitCode: number | null;
}

/** Whether a job that failed is run once more by itself. @param before how often it was run before this time. */
export const retriesByItself = (
  { definition: { retry } }: Pick<CiJob, 'definition'>,
  { reason, exitCode }: Failure,
  before: number,
): boolean => {
  if (before >= Math.min(retry.max, MOST_RETRIES)) return false;
  if (exitCode !== null && retry.exitCodes?.includes(exitCode) === true) return true;
  return retry.when.includes('always') || retry.when.includes(reason);
};

/** Whether an exit code is one that a job may have and still not keep its pipeline from succeeding. */
export const allowsFailure = ({ allowFailure, definition }: CiJob, exitCode: number | null): boolean =>
  allowFailure || (exitCode !== null && definition.allowedExitCodes.includes(exitCode));

/** How long a job may run at most unless it, or its runner, says less. */
export const ORDINARY_TIMEOUT_SECONDS = 3_600;
/** How many commits of the past a job is given unless `GIT_DEPTH` says otherwise. */
export const ORDINARY_DEPTH = 20;
/** Of a job, whatever its file says: a month. */
export const LONGEST_TIMEOUT_SECONDS = 30 * 86_400;
/** More of a log isn't kept: the job fails. */
export const MOST_LOG_BYTES = 10 * 1_048_576;

/** What a set of tags is called in the queue: the same for all that have the same. */
export const tagSetOf = (tags: readonly string[]): string => JSON.stringify([...new Set(tags)].sort());

/** Whether a job starts a pipeline, and is no runner's. */
export const isBridge = ({ definition }: Pick<CiJob, 'definition'>): boolean => definition.trigger !== undefined;

/** Who a job is to git, with its token as the password. */
export const JOB_USERNAME = 'gitlab-ci-token';
