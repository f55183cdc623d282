import type { TouchedAlert } from '../../../../application/alerts/said-before.js';
import type { SentPayload, TakeAlerts } from '../../../../application/alerts/take-alerts.js';
import { closedReason } from '../../../../domain/alerts/integration.js';
import { refusalOfClosed, touchedOrRefusal } from './refusals.js';

/** Takes a payload that a person sends: a test alert, or one of the delivery log. */
export type TakeByHand = (
  sent: Pick<SentPayload, 'integration' | 'projectPath' | 'text'>,
) => Promise<readonly TouchedAlert[]>;

/**
 * What a person sends counts towards the limit of its integration, and is refused where a sender's would be; only a key isn't needed.
 * @param limitAlerts throws TooManyRequests.
 */
export const createTakeByHand =
  (takeAlerts: TakeAlerts, limitAlerts: (integrationId: number) => Promise<void>): TakeByHand =>
  async (sent) => {
    const { integration } = sent;
    const closed = closedReason({ ...integration, keyDigest: '' }, null);
    if (closed !== undefined) throw refusalOfClosed(closed);
    await limitAlerts(integration.id);
    return touchedOrRefusal(await takeAlerts({ ...sent, keyDigest: null }));
  };
