import type { CiArtifactRepository, NewArtifact } from '../../../../../application/pipelines/ports/artifact-ports.js';
import { CHILD } from '../../../../../domain/pipelines/pipeline.js';
import type { CiArtifact } from '../../../../../domain/pipelines/artifact.js';
import type { TellingJob } from '../../../../../domain/pipelines/given-files.js';
import type { ProjectId } from '../../../../../domain/shared/identifiers.js';
import type { FileSizes } from '../../../../../domain/shared/room-for-files.js';
import { writeInstantOrNull } from '../dialect/nullable-instants.js';
import type { Session } from '../session.js';
import { sizesOfProject } from '../sizes-of-project.js';
import type { RowOf } from '../tables.js';
import { artifactsOfJobs, reportsIn } from './artifact-rows.js';

type Named = Pick<RowOf<'ci_artifacts'>, 'id' | 'file_key'>;
type Due = Named & { readonly pipeline_id: number } & Pick<RowOf<'pipelines'>, 'project_id' | 'ref' | 'tag' | 'status'>;

export class KnexCiArtifactRepository implements CiArtifactRepository {
  constructor(private readonly session: Session) {}

  async ofJob(jobId: number): Promise<readonly CiArtifact[]> {
    return (await artifactsOfJobs(this.session, [jobId])).get(jobId) ?? [];
  }

  sizesOf(projectId: ProjectId): Promise<FileSizes> {
    return sizesOfProject(this.session, 'ci_artifacts', projectId);
  }

  dotenvsOf(pipelineId: number): Promise<readonly TellingJob[]> {
    return reportsIn(this.session, { 'ci_jobs.pipeline_id': pipelineId });
  }

  async add(artifact: NewArtifact): Promise<void> {
    const { query, dialect } = this.session;
    const expiresAt = writeInstantOrNull(dialect, artifact.expiresAt);
    await query('ci_artifacts').insert({
      job_id: artifact.jobId,
      project_id: artifact.projectId,
      type: artifact.type,
      format: artifact.format,
      file_name: artifact.fileName,
      size: artifact.size,
      sha256: artifact.sha256,
      file_key: artifact.fileKey,
      expires_at: expiresAt,
      due_at: expiresAt,
      created_at: dialect.writeInstant(artifact.createdAt),
      variables: artifact.variables && JSON.stringify(artifact.variables),
    });
  }

  async keep(jobId: number): Promise<void> {
    await this.session.query('ci_artifacts').where({ job_id: jobId }).update({ expires_at: null, due_at: null });
  }

  async removeOfJob(jobId: number): Promise<readonly string[]> {
    return this.#remove(await this.session.query('ci_artifacts').where({ job_id: jobId }).select('id', 'file_key'));
  }

  async removeSomeOfProject(projectId: ProjectId, most: number): Promise<readonly string[]> {
    const { query } = this.session;
    const list = query('ci_artifacts').where({ project_id: projectId }).orderBy('id').limit(most);
    return this.#remove(await list.select('id', 'file_key'));
  }

  async removeDue(at: Date, lookAgainAt: Date, most: number) {
    const { query, dialect } = this.session;
    const due = (await query('ci_artifacts')
      .join('ci_jobs', 'ci_jobs.id', 'ci_artifacts.job_id')
      .join('pipelines', 'pipelines.id', 'ci_jobs.pipeline_id')
      .whereNotNull('ci_artifacts.due_at')
      .where('ci_artifacts.due_at', '<=', dialect.writeInstant(at))
      .orderBy('ci_artifacts.due_at')
      .limit(most)
      .select('ci_artifacts.id', 'ci_artifacts.file_key', 'ci_jobs.pipeline_id')
      .select('pipelines.project_id', 'pipelines.ref', 'pipelines.tag', 'pipelines.status')) as Due[];
    const kept = await this.#newest(due);
    // Somebody may have said meanwhile that it is to be kept.
    const held = (await dialect.lockRows(
      query('ci_artifacts')
        .whereIn(
          'id',
          due.map(({ id }) => id),
        )
        .where('due_at', '<=', dialect.writeInstant(at))
        .select('id', 'file_key'),
    )) as Named[];
    const staying = new Set(due.filter(({ pipeline_id: id }) => kept.has(id)).map(({ id }) => id));
    await query('ci_artifacts')
      .whereIn(
        'id',
        held.filter(({ id }) => staying.has(id)).map(({ id }) => id),
      )
      .update({ due_at: dialect.writeInstant(lookAgainAt) });
    const removed = await this.#remove(held.filter(({ id }) => !staying.has(id)));
    return { looked: due.length, removed };
  }

  /** Of their pipelines those that are the newest of a branch or tag that succeeded, as long as that is there. */
  async #newest(due: readonly Due[]): Promise<ReadonlySet<number>> {
    const pipelines = new Map(due.map((row) => [row.pipeline_id, row]));
    const newest = new Set<number>();
    for (const [id, pipeline] of pipelines) if (await this.#isNewest(id, pipeline)) newest.add(id);
    return newest;
  }

  async #isNewest(id: number, { project_id: projectId, ref, tag, status }: Due): Promise<boolean> {
    if (status !== 'success') return false;
    const { query } = this.session;
    const newer = await query('pipelines')
      .where({ project_id: projectId, ref, tag, status: 'success' })
      .whereNotIn('source', ['external', CHILD])
      .where('id', '>', id)
      .first('id');
    if (newer !== undefined) return false;
    const there = (await query('refs')
      .join('repositories', 'repositories.id', 'refs.repository_id')
      .where('repositories.project_id', projectId)
      .where('refs.name', `refs/${tag ? 'tags' : 'heads'}/${ref}`)
      .first('refs.name')) as object | undefined;
    return there !== undefined;
  }

  async #remove(rows: readonly Named[]): Promise<readonly string[]> {
    if (rows.length > 0)
      await this.session
        .query('ci_artifacts')
        .whereIn(
          'id',
          rows.map(({ id }) => id),
        )
        .delete();
    return rows.map(({ file_key: key }) => key);
  }
}
