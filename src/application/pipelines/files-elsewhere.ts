import { archiveIn, type CiArtifact } from '../../domain/pipelines/artifact.js';
import { mayFetchFiles } from '../../domain/pipelines/artifact-access.js';
import type { CiNeedElsewhere, CiNeedOfPipeline, CiNeedOfProject } from '../../domain/pipelines/ci-file/ci-config.js';
import type { CiJob } from '../../domain/pipelines/ci-job.js';
import { MOST_CHILD_LEVELS } from '../../domain/pipelines/downstream.js';
import { toldBy, type LeavingJob, type TellingJob } from '../../domain/pipelines/given-files.js';
import type { Pipeline } from '../../domain/pipelines/pipeline.js';
import type { CiValue } from '../../domain/pipelines/predefined-variables.js';
import { Forbidden, NotFound, SwitchedOff } from '../../domain/shared/domain-error.js';
import type { UserActor } from '../shared/actor.js';
import type { PermittedProject } from '../shared/permitted.js';
import type { JobTokens } from './job-tokens.js';
import type { BridgeReader } from './ports/bridge-ports.js';
import type { CiArtifactReader, JobWithArchive } from './ports/artifact-ports.js';
import type { CiJobDetails, CiJobReader } from './ports/ci-job-ports.js';
import type { StarterReader } from './ports/starter-ports.js';

type Place = PermittedProject<'read_pipelines'>;

interface Parts {
  readonly reader: Pick<CiArtifactReader, 'newestJob' | 'succeededJob' | 'ofJobs' | 'dotenvOf'>;
  readonly bridges: Pick<BridgeReader, 'rootOf'>;
  readonly jobs: Pick<CiJobReader, 'find'>;
  readonly jobTokens: Pick<JobTokens, 'readerOf'>;
  readonly starters: Pick<StarterReader, 'has'>;
  /** @throws NotFound; Forbidden; SwitchedOff. */
  readonly enter: (actor: UserActor, project: string) => Promise<Place>;
}

const PIPELINE_ID = /^\d{1,15}$/;

/** What a job is given of other pipelines. */
export interface LeftElsewhere {
  readonly archives: readonly JobWithArchive[];
  readonly told: readonly CiValue[];
}

/**
 * What jobs left in other pipelines, for those whose CI file names them. Of other projects: in the name of whoever they run for, who is
 * never an administrator there, and where their jobs are let in. Of the pipelines that one is part of, as of its own.
 */
export class FilesElsewhere {
  constructor(private readonly parts: Parts) {}

  /** Undefined where something isn't there, or isn't for this job. */
  async of(job: CiJob): Promise<LeftElsewhere | undefined> {
    const archives: JobWithArchive[] = [];
    const reports: TellingJob[] = [];
    for (const need of job.definition.neededElsewhere ?? []) {
      const left = await this.#leftFor(job, need);
      if (left.length === 0) return undefined;
      for (const each of left)
        if ('archive' in each) archives.push(each);
        else reports.push(each);
    }
    return { archives, told: toldBy(reports) };
  }

  /** Its archive, and what its reports say of variables; nothing where neither is there, or for this job. */
  async #leftFor(job: CiJob, need: CiNeedElsewhere): Promise<readonly (JobWithArchive | TellingJob)[]> {
    const leaving = await ('pipeline' in need ? this.#inPipeline(job, need) : this.#inProject(job, need));
    if (leaving === undefined) return [];
    const { id, name, stageIndex } = leaving;
    const archive = await this.#archiveOf(id);
    const report = await this.parts.reader.dotenvOf(id);
    const told = report && ('pipeline' in need ? report : withoutFilling(report));
    return [...(archive === undefined ? [] : [{ id, name, stageIndex, archive }]), ...(told ? [told] : [])];
  }

  /** Of one that it was told of, though a newer pipeline may have succeeded since. Undefined for any other. */
  async archiveFor(asking: CiJob, jobId: number): Promise<CiArtifact | undefined> {
    for (const need of asking.definition.neededElsewhere ?? []) {
      const leaving = await ('pipeline' in need
        ? this.#inPipeline(asking, need)
        : this.#inProject(asking, need, jobId));
      if (leaving?.id === jobId) return this.#archiveOf(jobId);
    }
    return undefined;
  }

  /** Of a pipeline that the job's is part of, or that is part of the same one: what succeeded there is for all of them. */
  async #inPipeline(
    { id: askingId, projectId }: CiJob,
    { pipeline, job: name }: CiNeedOfPipeline,
  ): Promise<LeavingJob | undefined> {
    const { jobs, reader } = this.parts;
    if (!PIPELINE_ID.test(pipeline)) return undefined;
    const jobId = await reader.succeededJob(Number(pipeline), name);
    if (jobId === undefined) return undefined;
    const [asking, leaving] = [await jobs.find(projectId, askingId), await jobs.find(projectId, jobId)];
    if (asking === undefined || leaving === undefined) return undefined;
    return (await this.#areParts(asking.pipeline, leaving.pipeline)) ? leaving : undefined;
  }

  async #areParts(one: Pipeline, other: Pipeline): Promise<boolean> {
    if (one.id === other.id) return false;
    const [root, ofOther] = await Promise.all(
      [one, other].map((each) => this.parts.bridges.rootOf(each, MOST_CHILD_LEVELS)),
    );
    return root === ofOther;
  }

  /** Of another project: the newest one, unless one is asked for. */
  async #inProject(asking: CiJob, need: CiNeedOfProject, jobId?: number): Promise<LeavingJob | undefined> {
    const place = await this.#placeOf(asking, need);
    const id = place && (jobId ?? (await this.parts.reader.newestJob(place.project.id, need.ref, need.job)));
    return place && id !== undefined ? this.#jobIn(place, id, need) : undefined;
  }

  async #placeOf({ id, projectId, userId }: CiJob, { project }: CiNeedOfProject): Promise<Place | undefined> {
    const job = userId === null ? undefined : await this.parts.jobTokens.readerOf({ id, projectId, userId });
    // A number is no path.
    if (job === undefined || !project.includes('/')) return undefined;
    const place = await this.#enter({ ...job.actor, admin: false }, project);
    if (place?.project.id === projectId) return { ...place, level: Math.min(place.level, job.level) };
    return place && (await this.parts.starters.has(place.project.id, projectId)) ? place : undefined;
  }

  async #enter(actor: UserActor, project: string): Promise<Place | undefined> {
    try {
      return await this.parts.enter(actor, project);
    } catch (error) {
      if (error instanceof NotFound || error instanceof Forbidden || error instanceof SwitchedOff) return undefined;
      throw error;
    }
  }

  async #jobIn(
    { project, level }: Place,
    jobId: number,
    { job: name, ref }: CiNeedOfProject,
  ): Promise<CiJobDetails | undefined> {
    const job = await this.parts.jobs.find(project.id, jobId);
    if (job?.name !== name || job.pipeline.ref !== ref || job.pipeline.status !== 'success') return undefined;
    // What is proposed to a branch isn't of it.
    return job.pipeline.sourceBranch === null && mayFetchFiles(job, level) ? job : undefined;
  }

  async #archiveOf(jobId: number): Promise<CiArtifact | undefined> {
    return archiveIn((await this.parts.reader.ofJobs([jobId])).get(jobId) ?? []);
  }
}

/** What others wrote names no variables of the job that reads it. */
const withoutFilling = (report: TellingJob): TellingJob => ({
  ...report,
  variables: report.variables.map((each) => ({ ...each, raw: true })),
});
