import { ACCESS_LEVEL } from '../../domain/shared/access-level.js';
import { Forbidden } from '../../domain/shared/domain-error.js';
import type { UserActor } from '../shared/actor.js';
import type { Clock } from '../shared/ports/clock.js';
import type { UnitOfWork } from '../shared/unit-of-work.js';
import {
  estimate,
  resetSpent,
  spend,
  trackTime,
  type TimeChange,
  type TimeRepositories,
} from './operations/track-time.js';
import type { TrackedTime } from './ports/time-ports.js';
import type { DiscussableSubject } from './subjects.js';

/** How long something will take, and took. */
export class TimeTracking {
  constructor(
    private readonly unitOfWork: UnitOfWork<TimeRepositories>,
    private readonly clock: Clock,
  ) {}

  /** @throws Forbidden below reporter; Invalid at `base` for what is no time, or too long. */
  async estimate(actor: UserActor, found: DiscussableSubject, duration: string): Promise<TrackedTime> {
    return this.#change(actor, found, estimate(duration));
  }

  /** @throws as `estimate`, and Invalid where more is taken away than was spent. */
  async spend(actor: UserActor, found: DiscussableSubject, duration: string): Promise<TrackedTime> {
    return this.#change(actor, found, spend(duration));
  }

  /** @throws Forbidden below reporter. */
  resetSpent(actor: UserActor, found: DiscussableSubject): Promise<TrackedTime> {
    return this.#change(actor, found, resetSpent);
  }

  async #change({ id }: UserActor, found: DiscussableSubject, change: TimeChange): Promise<TrackedTime> {
    if (found.level < ACCESS_LEVEL.reporter) throw new Forbidden();
    const happening = { by: id, at: this.clock.now() };
    return this.unitOfWork.execute((repositories) => trackTime(repositories, found.subject.id, change, happening));
  }
}
