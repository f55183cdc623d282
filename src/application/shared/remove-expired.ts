import type { Clock } from './ports/clock.js';
import type { Counters } from './ports/counters.js';
import { EXPIRING, type Expiring, type ExpiredRows } from './ports/expired-rows.js';
import type { UnitOfWork } from './unit-of-work.js';

const BATCH = 500;

/** Removes what has expired, in batches that hold up nobody else for long. */
export class RemoveExpired {
  constructor(
    private readonly unitOfWork: UnitOfWork<{ readonly expiredRows: ExpiredRows }>,
    private readonly clock: Clock,
    private readonly counters: Counters,
  ) {}

  async execute(): Promise<void> {
    for (const what of EXPIRING) await this.#removeAll(what, this.clock.now());
  }

  async #removeAll(what: Expiring, now: Date): Promise<void> {
    for (;;) {
      const removed = await this.unitOfWork.execute(({ expiredRows }) => expiredRows.remove(what, now, BATCH));
      if (removed > 0) this.counters.count('expired_rows_removed_total', { table: what }, removed);
      if (removed < BATCH) return;
    }
  }
}
