import { Forbidden } from '../../../domain/shared/domain-error.js';
import type { UserActor } from '../../shared/actor.js';
import type { PermittedProject } from '../../shared/permitted.js';
import type { JobReaderOf } from '../job-tokens.js';
import type { StarterReader } from '../ports/starter-ports.js';

type Place = PermittedProject<'run_pipelines'>;

interface Parts {
  readonly starters: Pick<StarterReader, 'has'>;
  /** @throws NotFound; Forbidden. */
  readonly enter: (starter: UserActor, projectId: string | undefined) => Promise<Place>;
}

/**
 * A project where a job starts a pipeline, in the name of whoever it runs for, who is never an administrator there. In its own project it
 * may do no more than those who may push to its branch. Other projects decide whether it is let in.
 * @param projectId the number of the project, or its full path.
 * @throws NotFound; Forbidden for whoever may not start any, and for a job of a project that isn't let in.
 */
export const enterAsJob = async (
  { starters, enter }: Parts,
  job: JobReaderOf,
  projectId: string | undefined,
): Promise<{ readonly starter: UserActor; readonly place: Place }> => {
  const starter = { ...job.actor, admin: false };
  const place = await enter(starter, projectId);
  if (place.project.id === job.projectId) return { starter, place: atMost(place, job.level) };
  if (!(await starters.has(place.project.id, job.projectId)))
    throw new Forbidden('Jobs of that project are not let in: Maintainers of this one decide');
  return { starter, place };
};

const atMost = (place: Place, level: number): Place => ({ ...place, level: Math.min(place.level, level) });
