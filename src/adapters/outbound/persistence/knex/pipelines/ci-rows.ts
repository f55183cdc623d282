import type { CiJob } from '../../../../../domain/pipelines/ci-job.js';
import type { PlannedJob } from '../../../../../domain/pipelines/ci-file/plan.js';
import type { CiRunner, RunnerAbout } from '../../../../../domain/pipelines/ci-runner.js';
import type { GroupId } from '../../../../../domain/shared/identifiers.js';
import type { Dialect } from '../dialect/dialect.js';
import { readInstantOrNull } from '../dialect/nullable-instants.js';
import type { Session } from '../session.js';
import type { RowOf } from '../tables.js';

type CheckRow = Pick<
  RowOf<'commit_statuses'>,
  | 'name'
  | 'stage'
  | 'status'
  | 'allow_failure'
  | 'author_id'
  | 'coverage'
  | 'created_at'
  | 'started_at'
  | 'finished_at'
  | 'latest'
>;
type OwnRow = Omit<
  RowOf<'ci_jobs'>,
  | 'needs'
  | 'tag_set'
  | 'queue_tags'
  | 'token_digest'
  | 'log_written_at'
  | 'resource_group'
  | 'resource_since'
  | 'start_in_seconds'
  | 'sealed_variables'
  | 'bridge'
>;

export type CiJobRow = CheckRow & OwnRow;

const OF_CHECK: readonly (keyof CheckRow)[] = [
  ...(['name', 'stage', 'status', 'allow_failure', 'author_id', 'coverage'] as const),
  ...(['created_at', 'started_at', 'finished_at', 'latest'] as const),
];
const OF_JOB: readonly (keyof OwnRow)[] = [
  ...(['id', 'project_id', 'pipeline_id', 'stage_index', 'run_when', 'definition', 'protected_ref'] as const),
  ...(['queued_at', 'runner_id', 'failure_reason', 'exit_code', 'log_bytes', 'erased_at'] as const),
  ...(['log_removed_at', 'gives_up_at', 'timeout_seconds', 'begins_at', 'debug'] as const),
];

/** Of a job and of the check that it is, where both are joined. */
export const CI_JOB_COLUMNS: readonly string[] = [
  ...OF_JOB.map((column) => `ci_jobs.${column}`),
  ...OF_CHECK.map((column) => `commit_statuses.${column}`),
];

export const toCiJob = (row: CiJobRow, dialect: Dialect): CiJob => ({
  id: row.id,
  projectId: row.project_id,
  pipelineId: row.pipeline_id,
  name: row.name,
  stage: row.stage,
  stageIndex: row.stage_index,
  status: row.status,
  allowFailure: Boolean(row.allow_failure),
  when: row.run_when,
  definition: JSON.parse(row.definition) as PlannedJob,
  protectedRef: Boolean(row.protected_ref),
  userId: row.author_id,
  runnerId: row.runner_id,
  createdAt: dialect.readInstant(row.created_at),
  queuedAt: readInstantOrNull(dialect, row.queued_at),
  startedAt: readInstantOrNull(dialect, row.started_at),
  finishedAt: readInstantOrNull(dialect, row.finished_at),
  timeoutSeconds: row.timeout_seconds,
  givesUpAt: readInstantOrNull(dialect, row.gives_up_at),
  beginsAt: readInstantOrNull(dialect, row.begins_at),
  failureReason: row.failure_reason,
  exitCode: row.exit_code,
  coverage: row.coverage,
  debug: Boolean(row.debug),
  logBytes: row.log_bytes,
  erasedAt: readInstantOrNull(dialect, row.erased_at),
  logRemovedAt: readInstantOrNull(dialect, row.log_removed_at),
  latest: Boolean(row.latest),
});

/** In the order of their stages. @param which those that haven't been run again, unless all are wanted. */
export const jobsOfPipeline = async (
  session: Session,
  pipelineId: number,
  which: 'latest' | 'every run' = 'latest',
): Promise<readonly CiJob[]> => {
  const list = session
    .query('ci_jobs')
    .join('commit_statuses', 'commit_statuses.id', 'ci_jobs.id')
    .where('ci_jobs.pipeline_id', pipelineId)
    .orderBy([{ column: 'ci_jobs.stage_index' }, { column: 'ci_jobs.id' }]);
  if (which === 'latest') void list.where('commit_statuses.latest', true);
  const rows = (await list.select([...CI_JOB_COLUMNS])) as CiJobRow[];
  return rows.map((row) => toCiJob(row, session.dialect));
};

/** Its namespace is a group: nobody else's namespace has runners. */
export type CiRunnerRow = Omit<RowOf<'ci_runners'>, 'token_digest' | 'namespace_id'> & {
  readonly namespace_id: GroupId | null;
};

export const CI_RUNNER_COLUMNS: readonly (keyof CiRunnerRow)[] = [
  ...(['id', 'type', 'description', 'tags', 'run_untagged', 'locked', 'paused', 'protected_only'] as const),
  ...(['maximum_timeout', 'maintenance_note', 'created_by', 'created_at', 'contacted_at', 'about', 'address'] as const),
  'namespace_id',
];

export const toCiRunner = (row: CiRunnerRow, dialect: Dialect): CiRunner => ({
  id: row.id,
  type: row.type,
  groupId: row.namespace_id,
  description: row.description,
  tags: JSON.parse(row.tags) as string[],
  runUntagged: Boolean(row.run_untagged),
  locked: Boolean(row.locked),
  paused: Boolean(row.paused),
  protectedOnly: Boolean(row.protected_only),
  maximumTimeout: row.maximum_timeout,
  maintenanceNote: row.maintenance_note,
  createdBy: row.created_by,
  createdAt: dialect.readInstant(row.created_at),
  contactedAt: readInstantOrNull(dialect, row.contacted_at),
  about: JSON.parse(row.about) as RunnerAbout,
  address: row.address,
});
