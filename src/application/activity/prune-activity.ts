import { keptSince } from '../../domain/activity/event-filter.js';
import type { Clock } from '../shared/ports/clock.js';
import type { SharedCounters } from '../shared/ports/shared-counters.js';
import type { UnitOfWork } from '../shared/unit-of-work.js';
import type { ActivityRepository, RemovedEntries } from './ports/activity-repository.js';

/** Few at once: whoever reads meanwhile waits for no more than these. */
const BATCH = 25;

/** Removes what is too old to be shown. What is left after a break is removed the next time. */
export class PruneActivity {
  constructor(
    private readonly unitOfWork: UnitOfWork<{ readonly activity: ActivityRepository }>,
    private readonly clock: Clock,
    private readonly counters: SharedCounters,
    private readonly retentionDays: number | undefined,
    /** Lets others in between two batches. */
    private readonly pause: () => Promise<void>,
  ) {}

  /** @param stopping ends it after a batch. */
  async execute(stopping?: AbortSignal): Promise<void> {
    let reached: Date | undefined;
    while (stopping?.aborted !== true) {
      const removed = await this.#remove(reached);
      if (removed.count < BATCH) return;
      ({ reached } = removed);
      await this.pause();
    }
  }

  /** Removes one batch, and tells whether there may be more. */
  async removeSome(): Promise<boolean> {
    const { count } = await this.#remove();
    return count === BATCH;
  }

  /** @param reached before which all are gone: a database may keep their places in its index for a while, and go through them again. */
  async #remove(reached?: Date): Promise<RemovedEntries> {
    const instant = keptSince(this.clock.now(), this.retentionDays);
    const removed = await this.unitOfWork.execute(({ activity }) => activity.removeOlderThan(instant, BATCH, reached));
    if (removed.count > 0)
      this.counters.count('expired_rows_removed_total', { table: 'activity_events' }, removed.count);
    return removed;
  }
}
