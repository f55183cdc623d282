import type { Environment } from '../../domain/environments/environment.js';
import type { ProjectId, UserId } from '../../domain/shared/identifiers.js';
import type { Clock } from '../shared/ports/clock.js';
import type { UnitOfWork } from '../shared/unit-of-work.js';
import { stopEnvironment, stopJobOf, type StopNeeds } from './operations/stop-environment.js';
import type { EnvironmentReader } from './ports/environment-ports.js';

interface Parts {
  readonly unitOfWork: UnitOfWork<StopNeeds>;
  readonly reader: Pick<EnvironmentReader, 'dueBefore'>;
  readonly clock: Clock;
}

const STOPPED_AT_ONCE = 100;

/** Environments that end without anybody who asks for it. */
export class EndEnvironments {
  constructor(private readonly parts: Parts) {}

  /** Those whose time is over; answers how many there were. */
  async whoseTimeIsOver(): Promise<number> {
    const now = this.parts.clock.now();
    const due = await this.parts.reader.dueBefore(now, STOPPED_AT_ONCE);
    for (const environment of due)
      await this.parts.unitOfWork.execute((repositories) => endOne(repositories, environment, now));
    return due.length;
  }

  /** Those that were deployed from a branch or tag that is gone, and have a job that stops them: in the name of whoever removed it. */
  async deployedFrom(repositories: StopNeeds, projectId: ProjectId, ref: string, by: UserId): Promise<void> {
    const at = this.parts.clock.now();
    await repositories.pipelines.hold(projectId);
    await repositories.environments.hold(projectId);
    for (const { id } of await repositories.environments.deployedFrom(projectId, ref, STOPPED_AT_ONCE)) {
      const environment = await repositories.environments.take(id);
      const stop = environment && (await stopJobOf(repositories, environment));
      if (environment?.state === 'available' && stop !== undefined)
        await stopEnvironment(repositories, environment, { by, at, stop });
    }
  }
}

/** In the name of whoever deployed it; where they are gone it ends without its job. */
const endOne = async (repositories: StopNeeds, { id, projectId }: Environment, at: Date): Promise<void> => {
  await repositories.pipelines.hold(projectId);
  await repositories.environments.hold(projectId);
  const environment = await repositories.environments.take(id);
  if (environment === undefined || environment.autoStopAt === null || environment.autoStopAt > at) return;
  const by = (await repositories.deployments.lastOf(id))?.userId ?? null;
  if (environment.state !== 'available') await repositories.environments.change(id, { autoStopAt: null }, at);
  else if (by === null) await repositories.environments.change(id, { state: 'stopped', autoStopAt: null }, at);
  else {
    const stop = await stopJobOf(repositories, environment);
    await stopEnvironment(repositories, environment, { by, at, stop });
  }
};
