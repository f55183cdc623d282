import type { ReceiveAlerts, TouchedAlert } from '../../../../application/alerts/receive-alerts.js';
import type { Clock } from '../../../../application/shared/ports/clock.js';
import { isAlertmanagerPayload, readAlertmanagerPayload } from '../../../../domain/alerts/alertmanager-payload.js';
import { readGenericPayload, type Payload } from '../../../../domain/alerts/generic-payload.js';
import type { Integration } from '../../../../domain/alerts/integration.js';
import { HttpError } from '../http-error.js';
import { parsePayload } from './read-payload.js';
import { refusalOfClosed } from './refusal-of-closed.js';

export interface TakePayloadParts {
  readonly receiveAlerts: ReceiveAlerts;
  readonly clock: Clock;
  /** Whether alerts without a fingerprint are grouped by what they say. */
  readonly groupByPayload: boolean;
}

export interface TakenPayload {
  readonly integration: Integration;
  /** Of the key that the sender presented; null where a person sends. */
  readonly keyDigest: string | null;
  readonly projectPath: string;
  readonly text: string;
  readonly idempotencyKey?: string | undefined;
}

/** From the text of a payload to the alerts that it touched, wherever it came from. */
export type TakePayload = (taken: TakenPayload) => Promise<readonly TouchedAlert[]>;

/**
 * @throws HttpError 400 for what is not a payload, 422 for what Prometheus doesn't send or reuses a key for another payload;
 * NotFound, Unauthenticated, Forbidden when the integration doesn't take it any more.
 */
export const createTakePayload = ({ receiveAlerts, clock, groupByPayload }: TakePayloadParts): TakePayload => {
  const readSignals = (payload: Payload, text: string, { type }: Integration, receivedAt: Date) => {
    if (isAlertmanagerPayload(payload)) return readAlertmanagerPayload(payload, { receivedAt });
    if (type === 'prometheus') throw new HttpError(422, 'The payload is none of Alertmanager, version 4.');
    return [readGenericPayload(payload, text, { receivedAt, groupByPayload })];
  };
  return async ({ integration, keyDigest, projectPath, text, idempotencyKey }) => {
    const receivedAt = clock.now();
    const signals = readSignals(parsePayload(text), text, integration, receivedAt);
    const command = { integration, keyDigest, projectPath, signals, text, idempotencyKey, receivedAt };
    const result = await receiveAlerts.execute(command);
    if (result.outcome === 'accepted') return result.touched;
    if (result.outcome === 'closed') throw refusalOfClosed(result.reason);
    throw new HttpError(422, 'The Idempotency-Key was used for another payload.');
  };
};
