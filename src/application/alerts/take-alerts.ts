import { isAlertmanagerPayload, readAlertmanagerPayload } from '../../domain/alerts/alertmanager-payload.js';
import type { AlertSignal } from '../../domain/alerts/alert.js';
import { readGenericPayload, type Payload } from '../../domain/alerts/generic-payload.js';
import type { Integration } from '../../domain/alerts/integration.js';
import { parsePayload, type PayloadProblem } from '../../domain/alerts/parse-payload.js';
import type { Clock } from '../shared/ports/clock.js';
import type { ReceiveAlerts, ReceiveAlertsCommand, ReceiveAlertsResult } from './receive-alerts.js';

/** A payload as it was sent to an integration. */
export type SentPayload = Pick<ReceiveAlertsCommand, 'integration' | 'keyDigest' | 'projectPath' | 'text'> &
  Partial<Pick<ReceiveAlertsCommand, 'idempotencyKey'>>;

export type TakeAlertsResult =
  | ReceiveAlertsResult
  | { readonly outcome: 'not_a_payload'; readonly problem: PayloadProblem }
  /** The integration takes nothing but what Alertmanager sends. */
  | { readonly outcome: 'not_of_alertmanager' };

/** From the text of a payload to the alerts that it touched, in whichever thread. @throws Unavailable */
export type TakeAlerts = (sent: SentPayload) => Promise<TakeAlertsResult>;

export interface TakeAlertsParts {
  readonly receiveAlerts: ReceiveAlerts;
  readonly clock: Clock;
  /** Whether alerts without a fingerprint are grouped by what they say. */
  readonly groupByPayload: boolean;
}

export const createTakeAlerts = ({ receiveAlerts, clock, groupByPayload }: TakeAlertsParts): TakeAlerts => {
  const readSignals = (payload: Payload, text: string, type: Integration['type'], receivedAt: Date) => {
    if (isAlertmanagerPayload(payload)) return readAlertmanagerPayload(payload, { receivedAt });
    return type === 'prometheus' ? undefined : [readGenericPayload(payload, text, { receivedAt, groupByPayload })];
  };
  return async ({ idempotencyKey, ...sent }) => {
    const receivedAt = clock.now();
    const parsed = parsePayload(sent.text);
    if (parsed.outcome === 'not_a_payload') return parsed;
    const signals: readonly AlertSignal[] | undefined = readSignals(
      parsed.payload,
      sent.text,
      sent.integration.type,
      receivedAt,
    );
    if (signals === undefined) return { outcome: 'not_of_alertmanager' };
    return receiveAlerts.execute({ ...sent, idempotencyKey, signals, receivedAt });
  };
};
