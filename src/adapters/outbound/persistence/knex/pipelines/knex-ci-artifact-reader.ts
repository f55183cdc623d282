import type { CiArtifactReader, JobWithArchive } from '../../../../../application/pipelines/ports/artifact-ports.js';
import { CHILD } from '../../../../../domain/pipelines/pipeline.js';
import type { ArtifactType, CiArtifact } from '../../../../../domain/pipelines/artifact.js';
import type { TellingJob } from '../../../../../domain/pipelines/given-files.js';
import type { ProjectId } from '../../../../../domain/shared/identifiers.js';
import type { FileSizes } from '../../../../../domain/shared/room-for-files.js';
import type { Session } from '../session.js';
import { sizesOfProject } from '../sizes-of-project.js';
import type { RowOf } from '../tables.js';
import { unnamedFiles } from '../unnamed-files.js';
import { archivesIn, ARTIFACT_COLUMNS, artifactsOfJobs, reportsIn, toArtifact } from './artifact-rows.js';

type NewestJob = Pick<RowOf<'ci_jobs'>, 'id' | 'protected_ref'>;

export class KnexCiArtifactReader implements CiArtifactReader {
  constructor(private readonly session: Session) {}

  ofJobs(jobIds: readonly number[]): Promise<ReadonlyMap<number, readonly CiArtifact[]>> {
    return artifactsOfJobs(this.session, jobIds);
  }

  async find(jobId: number, type: ArtifactType): Promise<CiArtifact | undefined> {
    const row = await this.session
      .query('ci_artifacts')
      .where({ job_id: jobId, type })
      .first(...ARTIFACT_COLUMNS);
    return row && toArtifact(row, this.session.dialect);
  }

  archivesOf(pipelineId: number): Promise<readonly JobWithArchive[]> {
    return archivesIn(this.session, pipelineId);
  }

  dotenvsOf(pipelineId: number): Promise<readonly TellingJob[]> {
    return reportsIn(this.session, { 'ci_jobs.pipeline_id': pipelineId });
  }

  async dotenvOf(jobId: number): Promise<TellingJob | undefined> {
    return (await reportsIn(this.session, { 'ci_jobs.id': jobId }))[0];
  }

  async newestJob(projectId: ProjectId, ref: string, name: string): Promise<number | undefined> {
    const [ofBranch, ofTag] = [
      await this.#newestOf(projectId, { ref, tag: false }, name),
      await this.#newestOf(projectId, { ref, tag: true }, name),
    ];
    if (ofBranch === undefined || ofTag === undefined) return (ofBranch ?? ofTag)?.id;
    // Who may not touch the protected one of the two puts nothing in its place.
    const isProtected = (job: NewestJob): boolean => Boolean(job.protected_ref);
    if (isProtected(ofBranch) !== isProtected(ofTag)) return (isProtected(ofBranch) ? ofBranch : ofTag).id;
    return Math.max(ofBranch.id, ofTag.id);
  }

  async #newestOf(
    projectId: ProjectId,
    { ref, tag }: { readonly ref: string; readonly tag: boolean },
    name: string,
  ): Promise<NewestJob | undefined> {
    const { query } = this.session;
    const pipeline = await query('pipelines')
      .where({ project_id: projectId, ref, tag, status: 'success', source_branch: null })
      .whereNotIn('source', ['external', CHILD])
      .orderBy('id', 'desc')
      .first('id');
    if (pipeline === undefined) return undefined;
    return (await this.#named(pipeline.id, name)) as NewestJob | undefined;
  }

  async succeededJob(pipelineId: number, name: string): Promise<number | undefined> {
    const job = (await this.#named(pipelineId, name).where('commit_statuses.status', 'success')) as
      NewestJob | undefined;
    return job?.id;
  }

  #named(pipelineId: number, name: string) {
    return this.session
      .query('commit_statuses')
      .join('ci_jobs', 'ci_jobs.id', 'commit_statuses.id')
      .where('commit_statuses.pipeline_id', pipelineId)
      .where('commit_statuses.name', name)
      .where('commit_statuses.latest', true)
      .orderBy('commit_statuses.id', 'desc')
      .first('commit_statuses.id', 'ci_jobs.protected_ref');
  }

  sizesOf(projectId: ProjectId): Promise<FileSizes> {
    return sizesOfProject(this.session, 'ci_artifacts', projectId);
  }

  unknownOf(fileKeys: readonly string[]): Promise<readonly string[]> {
    return unnamedFiles(this.session, fileKeys);
  }
}
