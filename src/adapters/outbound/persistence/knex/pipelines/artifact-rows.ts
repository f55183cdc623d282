import type { Knex } from 'knex';
import type { JobWithArchive } from '../../../../../application/pipelines/ports/artifact-ports.js';
import type { ArtifactType, CiArtifact } from '../../../../../domain/pipelines/artifact.js';
import type { LeavingJob, TellingJob } from '../../../../../domain/pipelines/given-files.js';
import type { CiValue } from '../../../../../domain/pipelines/predefined-variables.js';
import type { Dialect } from '../dialect/dialect.js';
import { readInstantOrNull } from '../dialect/nullable-instants.js';
import type { Session } from '../session.js';
import type { RowOf } from '../tables.js';

type ArtifactRow = Omit<RowOf<'ci_artifacts'>, 'due_at' | 'variables'>;

/** Without what its report says, which lists of jobs have no use for. */
export const ARTIFACT_COLUMNS: readonly (keyof ArtifactRow)[] = [
  ...(['id', 'job_id', 'project_id', 'type', 'format', 'file_name', 'size', 'sha256'] as const),
  ...(['file_key', 'expires_at', 'created_at'] as const),
];

export const toArtifact = (row: ArtifactRow, dialect: Dialect): CiArtifact => ({
  id: row.id,
  jobId: row.job_id,
  projectId: row.project_id,
  type: row.type,
  format: row.format,
  fileName: row.file_name,
  size: row.size,
  sha256: row.sha256,
  fileKey: row.file_key,
  expiresAt: readInstantOrNull(dialect, row.expires_at),
  createdAt: dialect.readInstant(row.created_at),
});

/** Of each of some jobs that has any, in the order in which they came. */
export const artifactsOfJobs = async (
  { query, dialect }: Session,
  jobIds: readonly number[],
): Promise<ReadonlyMap<number, readonly CiArtifact[]>> => {
  const found = new Map<number, CiArtifact[]>();
  if (jobIds.length === 0) return found;
  const rows = await query('ci_artifacts')
    .whereIn('job_id', [...jobIds])
    .orderBy('id')
    .select(...ARTIFACT_COLUMNS);
  for (const row of rows) found.set(row.job_id, [...(found.get(row.job_id) ?? []), toArtifact(row, dialect)]);
  return found;
};

/** A pipeline, or one of its jobs. */
type Leaving = { readonly 'ci_jobs.pipeline_id': number } | { readonly 'ci_jobs.id': number };

/** Those jobs of it that weren't run again and left something of a kind, in the order of their stages. */
const leftIn = ({ query }: Session, leaving: Leaving, type: ArtifactType): Knex.QueryBuilder =>
  query('ci_jobs')
    .join('commit_statuses', 'commit_statuses.id', 'ci_jobs.id')
    .join('ci_artifacts', 'ci_artifacts.job_id', 'ci_jobs.id')
    .where(leaving)
    .where('commit_statuses.latest', true)
    .where('ci_artifacts.type', type)
    .orderBy([{ column: 'ci_jobs.stage_index' }, { column: 'ci_jobs.id' }])
    .select('ci_artifacts.job_id', 'commit_statuses.name', 'ci_jobs.stage_index');

type LeftRow = Pick<ArtifactRow, 'job_id'> &
  Pick<RowOf<'commit_statuses'>, 'name'> &
  Pick<RowOf<'ci_jobs'>, 'stage_index'>;

const toLeaving = (row: LeftRow): LeavingJob => ({ id: row.job_id, name: row.name, stageIndex: row.stage_index });

export const archivesIn = async (session: Session, pipelineId: number): Promise<readonly JobWithArchive[]> => {
  const columns = ARTIFACT_COLUMNS.map((column) => `ci_artifacts.${column}`);
  const rows = (await leftIn(session, { 'ci_jobs.pipeline_id': pipelineId }, 'archive').select(columns)) as (LeftRow &
    ArtifactRow)[];
  return rows.map((row) => ({ ...toLeaving(row), archive: toArtifact(row, session.dialect) }));
};

export const reportsIn = async (session: Session, leaving: Leaving): Promise<readonly TellingJob[]> => {
  const rows = (await leftIn(session, leaving, 'dotenv').select('ci_artifacts.variables')) as (LeftRow &
    Pick<RowOf<'ci_artifacts'>, 'variables'>)[];
  return rows.map((row) => ({
    ...toLeaving(row),
    variables: row.variables === null ? [] : (JSON.parse(row.variables) as CiValue[]),
  }));
};
