import type { Clock } from './ports/clock.js';
import type { SharedCounters } from './ports/shared-counters.js';
import type { Expiring, ExpiredRows } from './ports/expired-rows.js';
import type { UnitOfWork } from './unit-of-work.js';

const BATCH = 500;

/** Removes what has expired, in batches that hold up nobody else for long. */
export class RemoveExpired {
  constructor(
    private readonly unitOfWork: UnitOfWork<{ readonly expiredRows: ExpiredRows }>,
    private readonly expiring: readonly Expiring[],
    private readonly clock: Clock,
    private readonly counters: SharedCounters,
  ) {
    for (const { table } of expiring) counters.count('expired_rows_removed_total', { table }, 0);
  }

  /** @param stopping ends it after a batch; what is left is removed the next time. */
  async execute(stopping?: AbortSignal): Promise<void> {
    for (const { table, keptMs } of this.expiring)
      await this.#removeAll(table, new Date(this.clock.now().getTime() - keptMs), stopping);
  }

  async #removeAll(table: string, expiredAt: Date, stopping: AbortSignal | undefined): Promise<void> {
    while (stopping?.aborted !== true) {
      const removed = await this.unitOfWork.execute(({ expiredRows }) => expiredRows.remove(table, expiredAt, BATCH));
      if (removed > 0) this.counters.count('expired_rows_removed_total', { table }, removed);
      if (removed < BATCH) return;
    }
  }
}
