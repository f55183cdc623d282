import { isAlive, isPlayable, isRetryable, waitsToBegin, type CiJob } from '../../domain/pipelines/ci-job.js';
import { isFinished } from '../../domain/pipelines/commit-status.js';
import { codeRefOf, type Pipeline } from '../../domain/pipelines/pipeline.js';
import { checkedPipelineName } from '../../domain/pipelines/pipeline-name.js';
import type { CiValue } from '../../domain/pipelines/predefined-variables.js';
import { BadRequest, Forbidden, NotFound } from '../../domain/shared/domain-error.js';
import type { Project } from '../../domain/workspace/namespace.js';
import type { UserActor } from '../shared/actor.js';
import type { Permitted } from '../shared/permitted.js';
import type { Clock } from '../shared/ports/clock.js';
import type { SecretBox } from '../shared/ports/secrets.js';
import type { UnitOfWork } from '../shared/unit-of-work.js';
import { cancelJobs } from './operations/cancel-jobs.js';
import { endJob, runAgain } from './operations/end-job.js';
import { bringBackLeftOut } from './operations/bring-back-left-out.js';
import { beginJobs, beginning, goOnWithPipeline, type JobNeeds } from './operations/go-on-with-pipeline.js';
import type { ArtifactFiles } from './ports/artifact-ports.js';
import { mayRunFor, type Protections } from './operations/ref-rights.js';
import { requireRoomToGoOn } from './operations/room-to-go-on.js';

interface Parts {
  readonly unitOfWork: UnitOfWork<JobNeeds>;
  readonly protections: Protections;
  readonly files: Pick<ArtifactFiles, 'remove'>;
  readonly box: SecretBox;
  readonly clock: Clock;
}

type Place = Permitted<'run_pipelines'>;

interface Held {
  readonly repositories: JobNeeds;
  readonly pipeline: Pipeline;
  readonly at: Date;
}

/** Of one job in its pipeline. */
const MOST_RUNS = 100;
const NOT_RETRYABLE = 'Job is not retryable';
const NOT_PLAYABLE = 'Unplayable Job';
const NOT_ERASABLE = 'Job is not erasable!';

/** What people do to jobs, and to all jobs of a pipeline. */
export class CiJobs {
  constructor(private readonly parts: Parts) {}

  /** Whether somebody who runs jobs of a project may run, and cancel, those of this pipeline: who may change its branch or tag. */
  mayRun(
    actor: UserActor,
    place: { readonly project: Pick<Project, 'id'>; readonly level: number },
    pipeline: Pick<Pipeline, 'ref' | 'tag' | 'sourceBranch'>,
  ): Promise<boolean> {
    return mayRunFor(this.parts.protections, place, actor, codeRefOf(pipeline));
  }

  /** One that has ended stays as it is. @throws Forbidden. */
  async cancel(actor: UserActor, place: Place, id: number): Promise<void> {
    await this.#ofJob(actor, place, id, async ({ repositories, pipeline, at }, job) => {
      await this.#requireRights(actor, place, pipeline);
      if (isAlive(job.status)) await endJob(repositories, job, { status: 'canceled' }, at);
    });
  }

  /**
   * Runs it once more, at once where it waited for somebody or for its time before; answers the id of the new one.
   * @throws Forbidden; BadRequest where the project has no room for more.
   */
  async retry(actor: UserActor, place: Place, id: number): Promise<number> {
    return this.#ofJob(actor, place, id, async (held, job) => {
      if (!isRetryable(job)) throw new Forbidden(NOT_RETRYABLE);
      await this.#requireRights(actor, place, held.pipeline);
      const [made] = await again(held, [job], actor);
      if (made === undefined) throw new Forbidden(NOT_RETRYABLE);
      // Whoever asks for it is whom it waits for.
      if (waitsToBegin(job)) await beginJobs(held.repositories, [beginning({ ...job, id: made })], held.at);
      return made;
    });
  }

  /**
   * Begins one that waits for somebody. @throws BadRequest, also where the project has no room for more; Forbidden for who may not begin
   * it, or not choose its variables.
   */
  async play(actor: UserActor, place: Place, id: number, variables: readonly CiValue[] = []): Promise<void> {
    const chosen = variables.length > 0;
    const given = chosen && { sealedVariables: this.parts.box.seal(JSON.stringify(variables)) };
    await this.#ofJob(actor, place, id, async ({ repositories, pipeline, at }, job) => {
      const { ciJobs } = repositories;
      if (!isPlayable(job)) throw new BadRequest(NOT_PLAYABLE);
      await this.#requireRights(actor, place, pipeline, chosen);
      await requireRoomToGoOn(ciJobs, pipeline);
      await ciJobs.change(job.id, { userId: actor.id, ...given });
      await beginJobs(repositories, [beginning(job)], at);
    });
  }

  /** Throws its log and its files away. @throws Forbidden. */
  async erase(place: Permitted<'run_pipelines'> | Permitted<'erase_jobs'>, id: number): Promise<void> {
    const files = await this.parts.unitOfWork.execute(async ({ pipelines, ciJobs, ciArtifacts }) => {
      await pipelines.hold(place.project.id);
      const job = await ciJobs.takeLog(id);
      if (job?.projectId !== place.project.id) throw new NotFound();
      if (!isFinished(job.status) || job.erasedAt !== null) throw new Forbidden(NOT_ERASABLE);
      await ciJobs.removeLog(id);
      await ciJobs.change(id, { erasedAt: this.parts.clock.now() });
      return ciArtifacts.removeOfJob(id);
    });
    await this.parts.files.remove(files);
  }

  /** @throws Forbidden. */
  async cancelPipeline(actor: UserActor, place: Place, id: number): Promise<void> {
    await this.#ofPipeline(actor, place, id, async ({ repositories, pipeline, at }) => {
      await this.#requireRights(actor, place, pipeline);
      await cancelJobs(repositories, pipeline, { by: actor.id, at });
    });
  }

  /** @throws Invalid at `name`; Forbidden. */
  async namePipeline(actor: UserActor, place: Place, id: number, sent: string): Promise<void> {
    const name = checkedPipelineName(sent);
    await this.parts.unitOfWork.execute(async ({ pipelines }) => {
      await pipelines.hold(place.project.id);
      const pipeline = await pipelines.find(id);
      if (pipeline?.projectId !== place.project.id) throw new NotFound();
      await this.#requireRights(actor, place, pipeline);
      await pipelines.rename(id, name);
    });
  }

  /** Runs once more what failed or was canceled. */
  async retryPipeline(actor: UserActor, place: Place, id: number): Promise<void> {
    await this.#ofPipeline(actor, place, id, async (held) => {
      await this.#requireRights(actor, place, held.pipeline);
      const jobs = await held.repositories.ciJobs.ofPipeline(id);
      const ended = jobs.filter(({ status }) => status === 'failed' || status === 'canceled');
      await again(held, ended, actor);
    });
  }

  async #ofJob<Result>(
    actor: UserActor,
    place: Place,
    id: number,
    work: (held: Held, job: CiJob) => Promise<Result>,
  ): Promise<Result> {
    return this.#whileHeld(actor, place, async (repositories, at) => {
      const job = await repositories.ciJobs.find(id);
      const pipeline = job && (await repositories.pipelines.find(job.pipelineId));
      if (job?.projectId !== place.project.id || pipeline === undefined) throw new NotFound();
      return [pipeline, await work({ repositories, pipeline, at }, job)];
    });
  }

  async #ofPipeline(actor: UserActor, place: Place, id: number, work: (held: Held) => Promise<void>): Promise<void> {
    await this.#whileHeld(actor, place, async (repositories, at) => {
      const pipeline = await repositories.pipelines.find(id);
      if (pipeline?.projectId !== place.project.id) throw new NotFound();
      return [pipeline, await work({ repositories, pipeline, at })];
    });
  }

  async #whileHeld<Result>(
    { id: by }: UserActor,
    { project }: Place,
    work: (repositories: JobNeeds, at: Date) => Promise<readonly [Pipeline, Result]>,
  ): Promise<Result> {
    const at = this.parts.clock.now();
    return this.parts.unitOfWork.execute(async (repositories) => {
      await repositories.pipelines.hold(project.id);
      const [pipeline, result] = await work(repositories, at);
      await goOnWithPipeline(repositories, pipeline, { by, at });
      return result;
    });
  }

  /** @param chosen whether they choose variables. @throws Forbidden for who may not change the branch or tag. */
  async #requireRights(actor: UserActor, place: Place, pipeline: Pipeline, chosen = false): Promise<void> {
    const wanted = { ...codeRefOf(pipeline), chosen };
    if (!(await mayRunFor(this.parts.protections, place, actor, wanted))) throw new Forbidden();
  }
}

/**
 * Runs jobs once more, and with them what was left out because of them; answers the ids of the new ones. Those that were run too often
 * stay as they are. @throws BadRequest where the project has no room for more.
 */
const again = async ({ repositories, pipeline, at }: Held, wanted: readonly CiJob[], { id: userId }: UserActor) => {
  const { ciJobs } = repositories;
  const jobs: CiJob[] = [];
  for (const job of wanted) if ((await ciJobs.runsOf(job.pipelineId, job.name)) < MOST_RUNS) jobs.push(job);
  const [first] = jobs;
  if (first === undefined) return [];
  await requireRoomToGoOn(ciJobs, pipeline);
  const made: number[] = [];
  for (const job of jobs) made.push(await runAgain(repositories, job, userId, at));
  await bringBackLeftOut(ciJobs, first.pipelineId, jobs);
  return made;
};
