import type { Clock } from './ports/clock.js';
import type { Counters } from './ports/counters.js';
import { EXPIRING, type Expiring, type ExpiredRows } from './ports/expired-rows.js';
import type { UnitOfWork } from './unit-of-work.js';

const BATCH = 500;
const DAY_MS = 86_400_000;

/** How long after its end each is still kept. */
const KEPT_MS: Readonly<Record<Expiring, number>> = {
  one_time_tokens: 0,
  sessions: 0,
  oauth_authorization_codes: DAY_MS,
  oauth_access_tokens: DAY_MS,
  oauth_refresh_tokens: 0,
  oauth_grants: DAY_MS,
  alert_deliveries: 0,
  alert_idempotency_keys: 0,
  queued_mails: 0,
  notification_causes: 0,
  security_events: 0,
};

/** Removes what has expired, in batches that hold up nobody else for long. */
export class RemoveExpired {
  constructor(
    private readonly unitOfWork: UnitOfWork<{ readonly expiredRows: ExpiredRows }>,
    private readonly clock: Clock,
    private readonly counters: Counters,
  ) {}

  /** @param stopping ends it after a batch; what is left is removed the next time. */
  async execute(stopping?: AbortSignal): Promise<void> {
    for (const what of EXPIRING)
      await this.#removeAll(what, new Date(this.clock.now().getTime() - KEPT_MS[what]), stopping);
  }

  async #removeAll(what: Expiring, expiredAt: Date, stopping: AbortSignal | undefined): Promise<void> {
    while (stopping?.aborted !== true) {
      const removed = await this.unitOfWork.execute(({ expiredRows }) => expiredRows.remove(what, expiredAt, BATCH));
      if (removed > 0) this.counters.count('expired_rows_removed_total', { table: what }, removed);
      if (removed < BATCH) return;
    }
  }
}
