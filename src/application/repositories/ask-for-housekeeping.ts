import { Conflict } from '../../domain/shared/domain-error.js';
import type { Permitted } from '../shared/permitted.js';
import type { Clock } from '../shared/ports/clock.js';
import type { UnitOfWork } from '../shared/unit-of-work.js';
import type { HousekeepingRepository } from './ports/housekeeping.js';

/** Packing anew takes time and room. */
const AGAIN_AFTER_MS = 3_600_000;

/** Lets people have a repository packed anew before it is due. */
export class AskForHousekeeping {
  constructor(
    private readonly unitOfWork: UnitOfWork<{ readonly housekeeping: Pick<HousekeepingRepository, 'ask'> }>,
    private readonly clock: Clock,
  ) {}

  /** It begins within a minute. A project without code has nothing to be packed. @throws Conflict when it was asked for within the hour. */
  async execute({ project }: Permitted<'manage_project'>): Promise<void> {
    const at = this.clock.now();
    const before = new Date(at.getTime() - AGAIN_AFTER_MS);
    if (!(await this.unitOfWork.execute(({ housekeeping }) => housekeeping.ask(project.id, at, before))))
      throw new Conflict('Somebody already triggered housekeeping for this resource in the past 1 hour.');
  }
}
