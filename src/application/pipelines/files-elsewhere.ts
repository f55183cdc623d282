import { archiveIn, type CiArtifact } from '../../domain/pipelines/artifact.js';
import { mayFetchFiles } from '../../domain/pipelines/artifact-access.js';
import type { CiNeedElsewhere } from '../../domain/pipelines/ci-file/ci-config.js';
import type { CiJob } from '../../domain/pipelines/ci-job.js';
import { toldBy, type TellingJob } from '../../domain/pipelines/given-files.js';
import type { CiValue } from '../../domain/pipelines/predefined-variables.js';
import { Forbidden, NotFound, SwitchedOff } from '../../domain/shared/domain-error.js';
import type { UserActor } from '../shared/actor.js';
import type { PermittedProject } from '../shared/permitted.js';
import type { JobTokens } from './job-tokens.js';
import type { CiArtifactReader, JobWithArchive } from './ports/artifact-ports.js';
import type { CiJobDetails, CiJobReader } from './ports/ci-job-ports.js';
import type { StarterReader } from './ports/starter-ports.js';

type Place = PermittedProject<'read_pipelines'>;

interface Parts {
  readonly reader: Pick<CiArtifactReader, 'newestJob' | 'ofJobs' | 'dotenvOf'>;
  readonly jobs: Pick<CiJobReader, 'find'>;
  readonly jobTokens: Pick<JobTokens, 'readerOf'>;
  readonly starters: Pick<StarterReader, 'has'>;
  /** @throws NotFound; Forbidden; SwitchedOff. */
  readonly enter: (actor: UserActor, project: string) => Promise<Place>;
}

/** What a job is given of other projects. */
export interface LeftElsewhere {
  readonly archives: readonly JobWithArchive[];
  readonly told: readonly CiValue[];
}

/**
 * What jobs left in other pipelines, for those whose CI file names them: in the name of whoever they run for, who is never an administrator
 * there, and of projects that let in their jobs.
 */
export class FilesElsewhere {
  constructor(private readonly parts: Parts) {}

  /** Of the newest pipelines that succeeded. Undefined where something isn't there, or isn't for this job. */
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
    const place = await this.#placeOf(job, need);
    const jobId = place && (await this.parts.reader.newestJob(place.project.id, need.ref, need.job));
    const leaving = place && jobId !== undefined ? await this.#jobIn(place, jobId, need) : undefined;
    if (leaving === undefined) return [];
    const { id, name, stageIndex } = leaving;
    const archive = await this.#archiveOf(id);
    const report = await this.parts.reader.dotenvOf(id);
    return [...(archive === undefined ? [] : [{ id, name, stageIndex, archive }]), ...(report ? [report] : [])];
  }

  /** Of one that it was told of, though a newer pipeline may have succeeded since. Undefined for any other. */
  async archiveFor(asking: CiJob, jobId: number): Promise<CiArtifact | undefined> {
    for (const need of asking.definition.neededElsewhere ?? []) {
      const place = await this.#placeOf(asking, need);
      const leaving = place && (await this.#jobIn(place, jobId, need));
      if (leaving !== undefined) return this.#archiveOf(leaving.id);
    }
    return undefined;
  }

  async #placeOf({ id, projectId, userId }: CiJob, { project }: CiNeedElsewhere): Promise<Place | undefined> {
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
    { job: name, ref }: CiNeedElsewhere,
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
