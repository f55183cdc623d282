import type { Pipeline } from '../../domain/pipelines/pipeline.js';
import type { PipelineTrigger } from '../../domain/pipelines/pipeline-trigger.js';
import { Archived, Forbidden, Invalid, NotFound } from '../../domain/shared/domain-error.js';
import type { UserId } from '../../domain/shared/identifiers.js';
import type { UserActor } from '../shared/actor.js';
import type { PermittedProject } from '../shared/permitted.js';
import type { Clock } from '../shared/ports/clock.js';
import type { SecretDigester } from '../shared/ports/secrets.js';
import type { UnitOfWork } from '../shared/unit-of-work.js';
import type { CreatePipelines, WantedPipeline } from './create-pipelines.js';
import type { TriggerReader, TriggerRepositories } from './ports/trigger-ports.js';

/** A trigger whose token was sent, and its owner in its project. */
export interface RecognizedTrigger {
  readonly trigger: PipelineTrigger;
  readonly owner: UserActor;
  readonly place: PermittedProject<'run_pipelines'>;
}

interface Parts {
  readonly unitOfWork: UnitOfWork<TriggerRepositories>;
  readonly reader: Pick<TriggerReader, 'findByToken'>;
  readonly digester: SecretDigester;
  readonly createPipelines: Pick<CreatePipelines, 'create'>;
  /** Somebody with the rights that they have now; undefined for who may not sign in any more. */
  readonly ownerBy: (id: UserId) => Promise<UserActor | undefined>;
  /** @throws NotFound; Forbidden. */
  readonly enter: (owner: UserActor, projectId: string | undefined) => Promise<PermittedProject<'run_pipelines'>>;
  readonly clock: Clock;
}

/** What the token of a trigger starts: a pipeline of its project, with the rights that its owner has now. */
export class StartByTrigger {
  constructor(private readonly parts: Parts) {}

  /**
   * @param projectId the number of the project, or its full path.
   * @throws NotFound for a token of no trigger, or of another project's; Invalid, as `base`, where its owner may not start any;
   *   Archived.
   */
  async recognize(token: string, projectId: string | undefined): Promise<RecognizedTrigger> {
    const trigger = await this.parts.reader.findByToken(this.parts.digester.digest(token));
    const owner = trigger && (await this.parts.ownerBy(trigger.ownerId));
    if (trigger === undefined || owner === undefined) throw new NotFound();
    const place = await this.#enter(owner, projectId);
    if (place.project.id !== trigger.projectId) throw new NotFound();
    return { trigger, owner, place };
  }

  /** @throws as `CreatePipelines.create`. */
  async start({ trigger, owner, place }: RecognizedTrigger, wanted: Omit<WantedPipeline, 'source'>): Promise<Pipeline> {
    const at = this.parts.clock.now();
    await this.parts.unitOfWork.execute(({ pipelineTriggers }) => pipelineTriggers.used(trigger.id, at));
    return this.parts.createPipelines.create(owner, place, { ...wanted, source: 'trigger' });
  }

  async #enter(owner: UserActor, projectId: string | undefined) {
    try {
      return await this.parts.enter(owner, projectId);
    } catch (error) {
      if (error instanceof NotFound) throw new NotFound();
      if (error instanceof Forbidden && !(error instanceof Archived))
        throw new Invalid({ base: ['Insufficient permissions to create a new pipeline'] });
      throw error;
    }
  }
}
