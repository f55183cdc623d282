import { beginningOfToken, checkTriggerDescription } from '../../domain/pipelines/pipeline-trigger.js';
import { NotFound, NotPossible } from '../../domain/shared/domain-error.js';
import type { Page, PageRequest } from '../../domain/shared/page.js';
import type { UserActor } from '../shared/actor.js';
import type { Permitted } from '../shared/permitted.js';
import type { Clock } from '../shared/ports/clock.js';
import type { SecretBox, SecretDigester, SecretSource } from '../shared/ports/secrets.js';
import type { UnitOfWork } from '../shared/unit-of-work.js';
import type { TriggerDetails, TriggerReader, TriggerRepositories } from './ports/trigger-ports.js';

type Manager = Permitted<'manage_triggers'>;

/** A trigger as somebody sees it: its owner the whole token, everybody else its beginning. */
export type ShownTrigger = Omit<TriggerDetails, 'sealedToken'> & { readonly token: string };

interface Parts {
  readonly unitOfWork: UnitOfWork<TriggerRepositories>;
  readonly reader: TriggerReader;
  readonly secrecy: { readonly secrets: SecretSource; readonly digester: SecretDigester; readonly box: SecretBox };
  readonly clock: Clock;
}

/** By its beginning clients know what a token is for. */
const PREFIX = 'glptt-';
/** More than people look after. */
const MOST_TRIGGERS = 100;

/** Those who look after a project give out tokens that start its pipelines. */
export class PipelineTriggers {
  constructor(private readonly parts: Parts) {}

  async list(actor: UserActor, { project }: Manager, request: PageRequest): Promise<Page<ShownTrigger>> {
    const page = await this.parts.reader.list(project.id, request);
    return { ...page, items: page.items.map((trigger) => this.#show(actor, trigger)) };
  }

  async find(actor: UserActor, { project }: Manager, id: number): Promise<ShownTrigger | undefined> {
    const trigger = await this.parts.reader.find(project.id, id);
    return trigger && this.#show(actor, trigger);
  }

  /** Pipelines that it starts are its maker's. @throws Invalid at `description`; NotPossible for one too many. */
  async create(actor: UserActor, manager: Manager, sent: string): Promise<ShownTrigger> {
    const description = checkTriggerDescription(sent);
    const { secrets, digester, box } = this.parts.secrecy;
    const token = PREFIX + secrets.token();
    const stored = { tokenDigest: digester.digest(token), sealedToken: box.seal(token) };
    const { id: projectId } = manager.project;
    const createdAt = this.parts.clock.now();
    const id = await this.parts.unitOfWork.execute(async ({ pipelineTriggers }) => {
      if ((await pipelineTriggers.holdAndCount(projectId)) >= MOST_TRIGGERS)
        throw new NotPossible(`A project has at most ${MOST_TRIGGERS} triggers.`);
      return pipelineTriggers.add({ projectId, description, ownerId: actor.id, createdAt, ...stored });
    });
    return this.#found(actor, manager, id);
  }

  /** @throws Invalid at `description`; NotFound "Trigger". */
  async describe(actor: UserActor, manager: Manager, id: number, sent: string): Promise<ShownTrigger> {
    const description = checkTriggerDescription(sent);
    const at = this.parts.clock.now();
    await this.parts.unitOfWork.execute(async ({ pipelineTriggers }) => {
      if (!(await pipelineTriggers.describe(manager.project.id, id, description, at))) throw new NotFound('Trigger');
    });
    return this.#found(actor, manager, id);
  }

  /** @throws NotFound "Trigger". */
  async remove({ project }: Manager, id: number): Promise<void> {
    await this.parts.unitOfWork.execute(async ({ pipelineTriggers }) => {
      if (!(await pipelineTriggers.remove(project.id, id))) throw new NotFound('Trigger');
    });
  }

  async #found(actor: UserActor, manager: Manager, id: number): Promise<ShownTrigger> {
    const trigger = await this.find(actor, manager, id);
    if (trigger === undefined) throw new NotFound('Trigger');
    return trigger;
  }

  #show({ id }: UserActor, { sealedToken, ...trigger }: TriggerDetails): ShownTrigger {
    const token = this.parts.secrecy.box.open(sealedToken);
    return { ...trigger, token: trigger.ownerId === id ? token : beginningOfToken(token) };
  }
}
