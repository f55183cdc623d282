import { closedReason } from '../../../../domain/alerts/integration.js';
import { refusalOfClosed } from './refusal-of-closed.js';
import type { TakenPayload, TakePayload } from './take-payload.js';

/** Takes a payload that a person sends: a test alert, or one of the delivery log. */
export type TakeByHand = (taken: Pick<TakenPayload, 'integration' | 'projectPath' | 'text'>) => ReturnType<TakePayload>;

/**
 * What a person sends counts towards the limit of its integration, and is refused where a sender's would be; only a key isn't needed.
 * @param limitAlerts throws TooManyRequests.
 */
export const createTakeByHand =
  (takePayload: TakePayload, limitAlerts: (integrationId: number) => Promise<void>): TakeByHand =>
  async (taken) => {
    const { integration } = taken;
    const closed = closedReason({ ...integration, keyDigest: '' }, null);
    if (closed !== undefined) throw refusalOfClosed(closed);
    await limitAlerts(integration.id);
    return takePayload({ ...taken, keyDigest: null });
  };
