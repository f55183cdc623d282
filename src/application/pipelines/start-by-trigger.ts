import type { Pipeline } from '../../domain/pipelines/pipeline.js';
import type { PipelineTrigger } from '../../domain/pipelines/pipeline-trigger.js';
import { Archived, Forbidden, Invalid, NotFound, SwitchedOff } from '../../domain/shared/domain-error.js';
import type { UserId } from '../../domain/shared/identifiers.js';
import type { UserActor } from '../shared/actor.js';
import type { PermittedProject } from '../shared/permitted.js';
import type { Clock } from '../shared/ports/clock.js';
import type { SecretDigester } from '../shared/ports/secrets.js';
import type { UnitOfWork } from '../shared/unit-of-work.js';
import type { CreatePipelines, WantedPipeline } from './create-pipelines.js';
import type { JobTokens } from './job-tokens.js';
import { enterAsJob } from './operations/enter-as-job.js';
import type { StarterReader } from './ports/starter-ports.js';
import type { TriggerReader, TriggerRepositories } from './ports/trigger-ports.js';

/** Whose token was sent: who starts a pipeline, and where. */
export interface RecognizedStarter {
  /** Null where it is the token of a job that runs. */
  readonly trigger: PipelineTrigger | null;
  readonly starter: UserActor;
  readonly place: PermittedProject<'run_pipelines'>;
}

interface Parts {
  readonly unitOfWork: UnitOfWork<TriggerRepositories>;
  readonly reader: Pick<TriggerReader, 'findByToken'>;
  readonly digester: SecretDigester;
  readonly jobTokens: Pick<JobTokens, 'readerBy'>;
  readonly starters: Pick<StarterReader, 'has'>;
  readonly createPipelines: Pick<CreatePipelines, 'create'>;
  /** Somebody with the rights that they have now; undefined for who may not sign in any more. */
  readonly ownerBy: (id: UserId) => Promise<UserActor | undefined>;
  /** @throws NotFound; Forbidden. */
  readonly enter: (owner: UserActor, projectId: string | undefined) => Promise<PermittedProject<'run_pipelines'>>;
  readonly clock: Clock;
}

/** What the token of a trigger, or of a job, starts: a pipeline, with the rights that its owner, or whoever the job runs for, has now. */
export class StartByTrigger {
  constructor(private readonly parts: Parts) {}

  /**
   * @param projectId the number of the project, or its full path.
   * @throws NotFound for a token of no trigger and no job that runs, or of another project's trigger; Invalid, as `base`, for whoever may not
   *   start any; Forbidden for a job of a project that isn't let in; Archived, SwitchedOff.
   */
  async recognize(token: string, projectId: string | undefined): Promise<RecognizedStarter> {
    const trigger = await this.parts.reader.findByToken(this.parts.digester.digest(token));
    if (trigger === undefined) return this.#recognizeJob(token, projectId);
    const starter = await this.parts.ownerBy(trigger.ownerId);
    if (starter === undefined) throw new NotFound();
    const place = await this.#enter(starter, projectId);
    if (place.project.id !== trigger.projectId) throw new NotFound();
    return { trigger, starter, place };
  }

  async #recognizeJob(token: string, projectId: string | undefined): Promise<RecognizedStarter> {
    const job = await this.parts.jobTokens.readerBy(token);
    if (job === undefined) throw new NotFound();
    const { starters } = this.parts;
    const enter = (starter: UserActor, id: string | undefined) => this.#enter(starter, id);
    return { trigger: null, ...(await enterAsJob({ starters, enter }, job, projectId)) };
  }

  /** @throws as `CreatePipelines.create`. */
  async start(
    { trigger, starter, place }: RecognizedStarter,
    wanted: Omit<WantedPipeline, 'source'>,
  ): Promise<Pipeline> {
    if (trigger === null) return this.parts.createPipelines.create(starter, place, { ...wanted, source: 'pipeline' });
    const at = this.parts.clock.now();
    await this.parts.unitOfWork.execute(({ pipelineTriggers }) => pipelineTriggers.used(trigger.id, at));
    return this.parts.createPipelines.create(starter, place, { ...wanted, source: 'trigger' });
  }

  async #enter(owner: UserActor, projectId: string | undefined) {
    try {
      return await this.parts.enter(owner, projectId);
    } catch (error) {
      if (error instanceof NotFound) throw new NotFound();
      if (error instanceof Archived || error instanceof SwitchedOff) throw error;
      if (error instanceof Forbidden)
        throw new Invalid({ base: ['Insufficient permissions to create a new pipeline'] });
      throw error;
    }
  }
}
