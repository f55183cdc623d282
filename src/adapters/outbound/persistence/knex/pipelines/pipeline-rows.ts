import type { CommitStatus } from '../../../../../domain/pipelines/commit-status.js';
import type { Pipeline } from '../../../../../domain/pipelines/pipeline.js';
import type { Dialect } from '../dialect/dialect.js';
import { readInstantOrNull } from '../dialect/nullable-instants.js';
import type { RowOf } from '../tables.js';

export type PipelineRow = RowOf<'pipelines'>;
export type CommitStatusRow = RowOf<'commit_statuses'>;

export const PIPELINE_COLUMNS: readonly (keyof PipelineRow)[] = [
  ...(['id', 'project_id', 'iid', 'sha', 'ref', 'tag', 'source', 'status'] as const),
  ...([
    'user_id',
    'created_at',
    'updated_at',
    'started_at',
    'finished_at',
    'told',
    'before_sha',
    'yaml_errors',
    'merge_request_id',
    'source_branch',
    'config_path',
    'bridge_id',
    'depth',
    'name',
    'on_job_failure',
  ] as const),
];

export const COMMIT_STATUS_COLUMNS: readonly (keyof CommitStatusRow)[] = [
  ...(['id', 'pipeline_id', 'name', 'status', 'author_id', 'target_url', 'description'] as const),
  ...(['coverage', 'created_at', 'started_at', 'finished_at', 'latest', 'stage', 'allow_failure'] as const),
];

export const toPipeline = (row: PipelineRow, dialect: Dialect): Pipeline => ({
  id: row.id,
  projectId: row.project_id,
  iid: row.iid,
  sha: row.sha,
  ref: row.ref,
  tag: Boolean(row.tag),
  source: row.source,
  mergeRequestId: row.merge_request_id,
  sourceBranch: row.source_branch,
  status: row.status,
  userId: row.user_id,
  createdAt: dialect.readInstant(row.created_at),
  updatedAt: dialect.readInstant(row.updated_at),
  startedAt: readInstantOrNull(dialect, row.started_at),
  finishedAt: readInstantOrNull(dialect, row.finished_at),
  told: row.told,
  beforeSha: row.before_sha,
  configPath: row.config_path,
  yamlErrors: row.yaml_errors,
  bridgeId: row.bridge_id,
  depth: row.depth,
  name: row.name,
  failsAtOnce: row.on_job_failure === 'all',
});

export const toCommitStatus = (row: CommitStatusRow, dialect: Dialect): CommitStatus => ({
  id: row.id,
  pipelineId: row.pipeline_id,
  name: row.name,
  stage: row.stage,
  status: row.status,
  allowFailure: Boolean(row.allow_failure),
  authorId: row.author_id,
  targetUrl: row.target_url,
  description: row.description,
  coverage: row.coverage,
  createdAt: dialect.readInstant(row.created_at),
  startedAt: readInstantOrNull(dialect, row.started_at),
  finishedAt: readInstantOrNull(dialect, row.finished_at),
  latest: Boolean(row.latest),
});
