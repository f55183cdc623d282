import type { ReceiveAlerts, TouchedAlert } from '../../../../application/alerts/receive-alerts.js';
import type { Clock } from '../../../../application/shared/ports/clock.js';
import { isAlertmanagerPayload, readAlertmanagerPayload } from '../../../../domain/alerts/alertmanager-payload.js';
import { readGenericPayload, type Payload } from '../../../../domain/alerts/generic-payload.js';
import type { Integration } from '../../../../domain/alerts/integration.js';
import type { CanonicalJson } from '../../../../domain/alerts/read-values.js';
import { HttpError } from '../http-error.js';
import { parsePayload } from './read-payload.js';

export interface TakePayloadParts {
  readonly receiveAlerts: ReceiveAlerts;
  readonly clock: Clock;
  readonly canonicalJson: CanonicalJson;
  /** Whether alerts without a fingerprint are grouped by what they say. */
  readonly groupByPayload: boolean;
}

export interface TakenPayload {
  readonly integration: Integration;
  readonly projectPath: string;
  readonly text: string;
  readonly idempotencyKey?: string | undefined;
}

/** From the text of a payload to the alerts that it touched, wherever it came from. */
export type TakePayload = (taken: TakenPayload) => Promise<readonly TouchedAlert[]>;

/** @throws HttpError 400 for what is no payload, 422 for what is none of Prometheus's or reuses a key for another. */
export const createTakePayload = ({
  receiveAlerts,
  clock,
  canonicalJson,
  groupByPayload,
}: TakePayloadParts): TakePayload => {
  const readSignals = (payload: Payload, text: string, { type }: Integration, receivedAt: Date) => {
    if (isAlertmanagerPayload(payload)) return readAlertmanagerPayload(payload, { receivedAt });
    if (type === 'prometheus') throw new HttpError(422, 'The payload is none of Alertmanager, version 4.');
    return [readGenericPayload(payload, text, { receivedAt, groupByPayload, canonicalJson })];
  };
  return async ({ integration, projectPath, text, idempotencyKey }) => {
    const receivedAt = clock.now();
    const signals = readSignals(parsePayload(text), text, integration, receivedAt);
    const result = await receiveAlerts.execute({ integration, projectPath, signals, text, idempotencyKey, receivedAt });
    if (result.outcome === 'accepted') return result.touched;
    throw new HttpError(422, 'The Idempotency-Key was used for another payload.');
  };
};
