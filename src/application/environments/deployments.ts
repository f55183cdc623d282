import { hasEnded, type Deployment, type DeploymentWord } from '../../domain/environments/deployment.js';
import { isObjectId } from '../../domain/repositories/object-id.js';
import { branchRef, isRefName, tagRef } from '../../domain/repositories/ref-name.js';
import { Forbidden, Invalid, NotFound, NotPossible } from '../../domain/shared/domain-error.js';
import type { ObjectReader } from '../repositories/ports/object-stores.js';
import type { RefReader } from '../repositories/ports/ref-reader.js';
import type { UserActor } from '../shared/actor.js';
import type { DomainEvents } from '../shared/domain-events.js';
import type { Permitted } from '../shared/permitted.js';
import type { Clock } from '../shared/ports/clock.js';
import type { UnitOfWork } from '../shared/unit-of-work.js';
import { environmentNamed } from './operations/environment-named.js';
import { tellDeployments } from './operations/tell-deployments.js';
import type { EnvironmentRepositories } from './ports/environment-ports.js';

type Needs = EnvironmentRepositories & { readonly events: DomainEvents };

/** What a client tells of a deployment that it does itself. */
export interface ToldDeployment {
  /** The name of the environment, which is made where it isn't there. */
  readonly environment: string;
  readonly sha: string;
  readonly ref: string;
  readonly tag: boolean;
  readonly status: DeploymentWord;
}

interface Parts {
  readonly unitOfWork: UnitOfWork<Needs>;
  readonly refs: Pick<RefReader, 'findRepository' | 'findRef'>;
  readonly objects: Pick<ObjectReader, 'commit'>;
  readonly clock: Clock;
}

type Place = Permitted<'manage_environments'>;

const NO_COMMIT = 'The commit does not exist';
const NO_REF = 'The branch or tag does not exist';
const RUNS = 'Cannot destroy running deployment';
const IS_LAST = 'Deployment currently deployed to environment';

/** The time that a job gave it was for what was there before. */
const IN_USE = { state: 'available', autoStopAt: null } as const;

/** Deployments that clients tell of, and do themselves. */
export class Deployments {
  constructor(private readonly parts: Parts) {}

  /** @throws Invalid naming what isn't there, or why its environment can't be made. */
  async create(actor: UserActor, place: Place, told: ToldDeployment): Promise<Deployment> {
    const { project } = place;
    const { environment: name, sha, ref, tag, status } = told;
    await this.#requireCode(place, told);
    const at = this.parts.clock.now();
    return this.parts.unitOfWork.execute(async (repositories) => {
      const { id: environmentId } = await environmentNamed(repositories, project.id, { name }, at);
      await repositories.environments.take(environmentId);
      const made = await repositories.deployments.add({
        ...{ projectId: project.id, environmentId, jobId: null, byJob: false, userId: actor.id, ref, tag, sha, status },
        createdAt: at,
        finishedAt: hasEnded(status) ? at : null,
      });
      if (status === 'success') await repositories.environments.change(environmentId, IN_USE, at);
      await tellDeployments(repositories.events, at, made);
      return made;
    });
  }

  /** @throws Forbidden for one that a job does; NotPossible for one that has ended and is to begin anew; NotFound. */
  async change(actor: UserActor, place: Place, id: number, status: DeploymentWord): Promise<void> {
    const at = this.parts.clock.now();
    await this.#whileHeld(place, id, async ({ deployments, environments, events }, held) => {
      if (held.byJob) throw new Forbidden();
      if (held.status === status) return;
      if (hasEnded(held.status) && !hasEnded(status))
        throw new NotPossible(`Cannot transition status from ${held.status} to ${status}: it has ended`);
      await deployments.setStatus(id, { status }, at);
      if (status === 'success') await environments.change(held.environmentId, IN_USE, at);
      await tellDeployments(events, at, { ...held, status, userId: actor.id });
    });
  }

  /** @throws NotPossible for one that runs, and for what is deployed now; NotFound. */
  async remove(place: Place, id: number): Promise<void> {
    await this.#whileHeld(place, id, async ({ deployments }, held) => {
      if (!hasEnded(held.status)) throw new NotPossible(RUNS);
      if ((await deployments.lastOf(held.environmentId))?.id === id) throw new NotPossible(IS_LAST);
      await deployments.remove(id);
    });
  }

  /** @throws Invalid. */
  async #requireCode({ project }: Place, { sha, ref, tag }: ToldDeployment): Promise<void> {
    const repository = await this.parts.refs.findRepository(project.id);
    if (repository === undefined || !isObjectId(sha)) throw new Invalid({ sha: [NO_COMMIT] });
    const name = tag ? tagRef(ref) : branchRef(ref);
    const found = isRefName(name) ? await this.parts.refs.findRef(repository.id, name) : undefined;
    if ((await this.parts.objects.commit(repository.store, sha)) === undefined) throw new Invalid({ sha: [NO_COMMIT] });
    if (found === undefined) throw new Invalid({ ref: [NO_REF] });
  }

  /** Its environment is locked first: whoever asks what is deployed there waits. */
  async #whileHeld(
    { project }: Place,
    id: number,
    work: (repositories: Needs, deployment: Deployment) => Promise<void>,
  ): Promise<void> {
    await this.parts.unitOfWork.execute(async (repositories) => {
      const found = await repositories.deployments.find(id);
      if (found?.projectId !== project.id) throw new NotFound('Deployment');
      await repositories.environments.take(found.environmentId);
      const held = await repositories.deployments.take(id);
      if (held === undefined) throw new NotFound('Deployment');
      await work(repositories, held);
    });
  }
}
