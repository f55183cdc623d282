import type { ArtifactSizes, CiArtifact } from '../../../../../domain/pipelines/artifact.js';
import type { ProjectId } from '../../../../../domain/shared/identifiers.js';
import type { Dialect } from '../dialect/dialect.js';
import { readInstantOrNull } from '../dialect/nullable-instants.js';
import type { Session } from '../session.js';
import type { RowOf } from '../tables.js';

export const toArtifact = (row: RowOf<'ci_artifacts'>, dialect: Dialect): CiArtifact => ({
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
    .select('*');
  for (const row of rows) found.set(row.job_id, [...(found.get(row.job_id) ?? []), toArtifact(row, dialect)]);
  return found;
};

/** How much all files of a project are, by an index alone. */
export const sizesOfProject = async ({ query }: Session, projectId: ProjectId): Promise<ArtifactSizes> => {
  const [row] = await query('ci_artifacts')
    .where({ project_id: projectId })
    .sum({ bytes: 'size' })
    .count({ files: '*' });
  return { files: Number(row?.['files'] ?? 0), bytes: Number(row?.['bytes'] ?? 0) };
};
