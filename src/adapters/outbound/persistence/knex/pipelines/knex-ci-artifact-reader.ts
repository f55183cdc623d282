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

type NamedJob = Pick<RowOf<'commit_statuses'>, 'id' | 'status'>;

/** Of a branch or tag, by their ids. */
interface NewestPipelines {
  readonly newest: number;
  readonly succeeded: number | undefined;
}

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
    const [branch, tag] = [
      await this.#newestOf(projectId, { ref, tag: false }),
      await this.#newestOf(projectId, { ref, tag: true }),
    ];
    const pipelineId = branch && tag ? await this.#chosenOf(branch, tag) : (branch ?? tag)?.succeeded;
    return pipelineId === undefined ? undefined : (await this.#named(pipelineId, name))?.id;
  }

  /** Who may not touch the protected one of the two puts nothing in its place, also where that has no such job, or no success. */
  async #chosenOf(branch: NewestPipelines, tag: NewestPipelines): Promise<number | undefined> {
    const [ofBranch, ofTag] = [await this.#isProtected(branch), await this.#isProtected(tag)];
    if (ofBranch !== ofTag) return (ofBranch ? branch : tag).succeeded;
    const ids = [branch, tag].flatMap(({ succeeded }) => succeeded ?? []);
    return ids.length === 0 ? undefined : Math.max(...ids);
  }

  async #isProtected({ newest }: NewestPipelines): Promise<boolean> {
    const { query } = this.session;
    return (await query('ci_jobs').where({ pipeline_id: newest, protected_ref: true }).first('id')) !== undefined;
  }

  /** Undefined where there is none of that branch or tag. */
  async #newestOf(
    projectId: ProjectId,
    { ref, tag }: { readonly ref: string; readonly tag: boolean },
  ): Promise<NewestPipelines | undefined> {
    const pipelines = this.session
      .query('pipelines')
      .where({ project_id: projectId, ref, tag, source_branch: null })
      .whereNotIn('source', ['external', CHILD])
      .orderBy('id', 'desc');
    const newest = await pipelines.clone().first('id');
    if (newest === undefined) return undefined;
    const succeeded = await pipelines.where({ status: 'success' }).first('id');
    return { newest: newest.id, succeeded: succeeded?.id };
  }

  async succeededJob(pipelineId: number, name: string): Promise<number | undefined> {
    const job = await this.#named(pipelineId, name);
    return job?.status === 'success' ? job.id : undefined;
  }

  /** The last one of those that were run again. */
  async #named(pipelineId: number, name: string): Promise<NamedJob | undefined> {
    return (await this.session
      .query('commit_statuses')
      .join('ci_jobs', 'ci_jobs.id', 'commit_statuses.id')
      .where('commit_statuses.pipeline_id', pipelineId)
      .where('commit_statuses.name', name)
      .where('commit_statuses.latest', true)
      .orderBy('commit_statuses.id', 'desc')
      .first('commit_statuses.id', 'commit_statuses.status')) as NamedJob | undefined;
  }

  sizesOf(projectId: ProjectId): Promise<FileSizes> {
    return sizesOfProject(this.session, 'ci_artifacts', projectId);
  }

  unknownOf(fileKeys: readonly string[]): Promise<readonly string[]> {
    return unnamedFiles(this.session, fileKeys);
  }
}
