import { closedReason, type ClosedReason } from '../../domain/alerts/integration.js';
import type { Clock } from '../shared/ports/clock.js';
import type { AlertCounters } from './ports/alert-counters.js';
import type { UnitOfWork } from '../shared/unit-of-work.js';
import type { Delivery, DeliveryRepository, IntegrationRepository } from './ports/alert-repositories.js';

/** A request that was not accepted, as the log of its integration tells it. */
export type Refusal = Pick<Delivery, 'outcome' | 'reason' | 'status' | 'payload'>;

interface Needs {
  readonly alertDeliveries: DeliveryRepository;
  readonly alertIntegrations: IntegrationRepository;
}

/** Puts a request that was not accepted into the log of its integration, and counts it. */
export class RecordDelivery {
  constructor(
    private readonly unitOfWork: UnitOfWork<Needs>,
    private readonly clock: Clock,
    private readonly counters: AlertCounters,
  ) {}

  /**
   * @param keyDigest of the key that the sender presented.
   * @param describe the refusal, given why the integration is closed to the sender by now. A sender without a good key, or without an
   * integration, leaves nothing in a log.
   */
  async execute(
    integrationId: number,
    keyDigest: string,
    describe: (closed: ClosedReason | undefined) => Refusal,
  ): Promise<void> {
    const receivedAt = this.clock.now();
    const { outcome } = await this.unitOfWork.execute(async ({ alertDeliveries, alertIntegrations }) => {
      const states = await alertIntegrations.hold([integrationId]);
      const closed = closedReason(states.get(integrationId), keyDigest);
      const refusal = describe(closed);
      if (closed !== 'removed' && closed !== 'key_replaced')
        await alertDeliveries.add([{ ...refusal, integrationId, alertIids: [], receivedAt }]);
      return refusal;
    });
    this.counters.count('alerts_total', { outcome });
  }
}
