import type { UserActor } from '../shared/actor.js';
import type { Permitted } from '../shared/permitted.js';
import type { Clock } from '../shared/ports/clock.js';
import type { UnitOfWork } from '../shared/unit-of-work.js';
import type { StarRepository } from './ports/project-relations.js';

/** Stars that people give to projects they see, archived ones too: a star changes nothing in the project. */
export class Stars {
  constructor(
    private readonly unitOfWork: UnitOfWork<{ readonly stars: StarRepository }>,
    private readonly clock: Clock,
  ) {}

  /** False when they have starred it already. */
  star({ id }: UserActor, { project }: Permitted<'read_project'>): Promise<boolean> {
    return this.unitOfWork.execute(({ stars }) => stars.add(project.id, id, this.clock.now()));
  }

  /** False when they have not starred it. */
  unstar({ id }: UserActor, { project }: Permitted<'read_project'>): Promise<boolean> {
    return this.unitOfWork.execute(({ stars }) => stars.remove(project.id, id));
  }
}
