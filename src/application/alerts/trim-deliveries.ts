import type { SharedCounters } from '../shared/ports/shared-counters.js';
import type { UnitOfWork } from '../shared/unit-of-work.js';
import type { DeliveryRepository } from './ports/alert-repositories.js';

const KEPT = { requests: 1_000, payloads: 100, arrivals: 1_000 };
const BATCH = 500;

/** Keeps the log of deliveries, and the arrivals of alerts, within their bounds: a storm must not fill the disk. */
export class TrimDeliveries {
  constructor(
    private readonly unitOfWork: UnitOfWork<{ readonly alertDeliveries: DeliveryRepository }>,
    private readonly counters: SharedCounters,
  ) {}

  /** @param stopping ends it after a batch; what is left is trimmed the next time. */
  async execute(stopping?: AbortSignal): Promise<void> {
    while (stopping?.aborted !== true) {
      const trimmed = await this.unitOfWork.execute(({ alertDeliveries }) => alertDeliveries.trim(KEPT, BATCH));
      if (trimmed === 0) return;
      this.counters.count('expired_rows_removed_total', { table: 'alert_deliveries' }, trimmed);
    }
  }
}
