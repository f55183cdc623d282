import { checkEnvironment, type Environment, type EnvironmentFields } from '../../domain/environments/environment.js';
import { codeRefOf } from '../../domain/pipelines/pipeline.js';
import { Forbidden, NotFound } from '../../domain/shared/domain-error.js';
import { mayRunFor, type Protections } from '../pipelines/operations/ref-rights.js';
import { requireRoomToGoOn } from '../pipelines/operations/room-to-go-on.js';
import type { UserActor } from '../shared/actor.js';
import type { Permitted } from '../shared/permitted.js';
import type { Clock } from '../shared/ports/clock.js';
import type { UnitOfWork } from '../shared/unit-of-work.js';
import { addEnvironment, type WantedEnvironment } from './operations/environment-named.js';
import { stopEnvironment, stopJobOf, type StopNeeds } from './operations/stop-environment.js';
import type { EnvironmentRepositories } from './ports/environment-ports.js';

interface Parts {
  readonly unitOfWork: UnitOfWork<StopNeeds>;
  readonly protections: Protections;
  readonly clock: Clock;
}

type Place = Permitted<'manage_environments'>;

const NOT_STOPPED = 'The environment must be stopped before it can be removed.';

/** What people do to environments. */
export class Environments {
  constructor(private readonly parts: Parts) {}

  /** @throws Invalid naming every problem. */
  create({ project }: Place, wanted: WantedEnvironment): Promise<Environment> {
    const at = this.parts.clock.now();
    return this.parts.unitOfWork.execute((repositories) => addEnvironment(repositories, project.id, wanted, at));
  }

  /** @throws Invalid naming every problem; NotFound. */
  async change(place: Place, id: number, changes: Partial<EnvironmentFields>): Promise<void> {
    const at = this.parts.clock.now();
    await this.parts.unitOfWork.execute(async ({ environments }) => {
      await environments.hold(place.project.id);
      const before = await take(environments, place, id);
      checkEnvironment({ ...before, ...changes });
      await environments.change(id, changes, at);
    });
  }

  /** With all of its deployments. @throws Forbidden for one that isn't stopped; NotFound. */
  async remove(place: Place, id: number): Promise<void> {
    await this.parts.unitOfWork.execute(async ({ environments }) => {
      // Nobody who found it by its name adds to it meanwhile.
      await environments.hold(place.project.id);
      const { state } = await take(environments, place, id);
      if (state !== 'stopped') throw new Forbidden(NOT_STOPPED);
      await environments.remove(id);
    });
  }

  /**
   * Ends it, by the job that does it where there is one. One that has ended stays as it is.
   * @param force without its job. @throws Forbidden for who may not run that job; BadRequest where the project has no room for it; NotFound.
   */
  async stop(actor: UserActor, place: Place, id: number, { force }: { readonly force: boolean }): Promise<void> {
    const at = this.parts.clock.now();
    await this.parts.unitOfWork.execute(async (repositories) => {
      await repositories.pipelines.hold(place.project.id);
      await repositories.environments.hold(place.project.id);
      const environment = await take(repositories.environments, place, id);
      if (environment.state === 'stopped' || (environment.state === 'stopping' && !force)) return;
      const stop = await stopJobOf(repositories, environment);
      if (stop !== undefined && !(await mayRunFor(this.parts.protections, place, actor, codeRefOf(stop.pipeline))))
        throw new Forbidden();
      const needed = force ? undefined : stop;
      if (needed?.begun === false) await requireRoomToGoOn(repositories.ciJobs, needed.pipeline);
      await stopEnvironment(repositories, environment, { by: actor.id, at, stop: needed });
    });
  }
}

const take = async (
  environments: EnvironmentRepositories['environments'],
  { project }: Place,
  id: number,
): Promise<Environment> => {
  const found = await environments.take(id);
  if (found?.projectId !== project.id) throw new NotFound('Environment');
  return found;
};
