import { branchRef, tagRef } from '../../domain/repositories/ref-name.js';
import type { Environment } from '../../domain/environments/environment.js';
import type { ProjectId, UserId } from '../../domain/shared/identifiers.js';
import type { RefReader } from '../repositories/ports/ref-reader.js';
import type { Clock } from '../shared/ports/clock.js';
import type { UnitOfWork } from '../shared/unit-of-work.js';
import { stopEnvironment, stopJobOf, type StopNeeds } from './operations/stop-environment.js';
import type { EnvironmentReader, NamedRef } from './ports/environment-ports.js';

interface Parts {
  readonly unitOfWork: UnitOfWork<StopNeeds>;
  readonly reader: Pick<EnvironmentReader, 'dueBefore'>;
  readonly refs: Pick<RefReader, 'findRepository' | 'findRef'>;
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
    const problems: unknown[] = [];
    for (const environment of due)
      try {
        await this.parts.unitOfWork.execute((repositories) => endOne(repositories, environment, now));
      } catch (error) {
        // One that can't be ended holds up no other.
        problems.push(error);
      }
    if (problems.length > 0) throw problems[0];
    return due.length;
  }

  /** Of branches and tags that were removed those that nobody pushed again meanwhile. */
  async stillGone(projectId: ProjectId, removed: readonly NamedRef[]): Promise<readonly NamedRef[]> {
    const repository = await this.parts.refs.findRepository(projectId);
    if (repository === undefined) return removed;
    const gone: NamedRef[] = [];
    for (const each of removed) {
      const name = each.tag ? tagRef(each.ref) : branchRef(each.ref);
      if ((await this.parts.refs.findRef(repository.id, name)) === undefined) gone.push(each);
    }
    return gone;
  }

  /** Those that were deployed from a branch or tag that is gone, and have a job that stops them: in the name of whoever removed it. */
  async deployedFrom(repositories: StopNeeds, projectId: ProjectId, from: NamedRef, by: UserId): Promise<void> {
    const at = this.parts.clock.now();
    await repositories.pipelines.hold(projectId);
    await repositories.environments.hold(projectId);
    for (const { id } of await repositories.environments.deployedFrom(projectId, from, STOPPED_AT_ONCE)) {
      const environment = await repositories.environments.take(id);
      const stop = environment && (await stopJobOf(repositories, environment));
      if (environment?.state === 'available' && stop !== undefined)
        await stopEnvironment(repositories, environment, { by, at, stop });
    }
  }
}

/** In the name of whoever the job ran for that deployed it; where they are gone it ends without its job. */
const endOne = async (repositories: StopNeeds, { id, projectId }: Environment, at: Date): Promise<void> => {
  await repositories.pipelines.hold(projectId);
  await repositories.environments.hold(projectId);
  const environment = await repositories.environments.take(id);
  if (environment === undefined || environment.autoStopAt === null || environment.autoStopAt > at) return;
  const by = (await repositories.deployments.lastOf(id, 'by a job'))?.userId ?? null;
  if (environment.state !== 'available') await repositories.environments.change(id, { autoStopAt: null }, at);
  else if (by === null) await repositories.environments.change(id, { state: 'stopped', autoStopAt: null }, at);
  else {
    const stop = await stopJobOf(repositories, environment);
    await stopEnvironment(repositories, environment, { by, at, stop });
  }
};
