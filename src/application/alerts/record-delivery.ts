import type { Clock } from '../shared/ports/clock.js';
import type { Counters } from '../shared/ports/counters.js';
import type { UnitOfWork } from '../shared/unit-of-work.js';
import type { Delivery, DeliveryRepository } from './ports/alert-repositories.js';

/** Puts a request that was not accepted into the log of its integration, and counts it. */
export class RecordDelivery {
  constructor(
    private readonly unitOfWork: UnitOfWork<{ readonly alertDeliveries: DeliveryRepository }>,
    private readonly clock: Clock,
    private readonly counters: Counters,
  ) {}

  async execute(delivery: Omit<Delivery, 'alertIids' | 'receivedAt'>): Promise<void> {
    this.counters.count('alerts_total', { outcome: delivery.outcome });
    const receivedAt = this.clock.now();
    await this.unitOfWork.execute(({ alertDeliveries }) =>
      alertDeliveries.add([{ ...delivery, alertIids: [], receivedAt }]),
    );
  }
}
