import type { AlertIntegrations } from '../../application/alerts/alert-integrations.js';
import type { Alerts } from '../../application/alerts/alerts.js';
import type { AlertReader, IntegrationReader } from '../../application/alerts/ports/alert-readers.js';
import type { RecordDelivery } from '../../application/alerts/record-delivery.js';
import type { TakeAlerts } from '../../application/alerts/take-alerts.js';
import type { TrimDeliveries } from '../../application/alerts/trim-deliveries.js';
import type { TakeByHand } from '../../adapters/inbound/http/alert-intake/take-by-hand.js';
import type { LeanPath } from '../../adapters/inbound/http/server/lean-path.js';
import { token } from './token.js';

/** Taking alerts, and what people do with them. */
export interface AlertUseCases {
  readonly alerts: Alerts;
  readonly alertReader: AlertReader;
  readonly alertIntegrations: AlertIntegrations;
  readonly integrationReader: IntegrationReader;
  readonly recordDelivery: RecordDelivery;
  readonly takeAlerts: TakeAlerts;
  readonly takeByHand: TakeByHand;
  /** Counts a request of an integration. @throws TooManyRequests. */
  readonly limitAlerts: (integrationId: number) => Promise<void>;
  readonly trimDeliveries: TrimDeliveries;
}

/** In whichever thread alerts are taken. */
export interface TakingOfAlerts {
  readonly take: TakeAlerts;
  /** Finishes what was taken. */
  close(): Promise<void>;
}

export const ALERT_TOKENS = {
  alerts: token<AlertUseCases>('AlertUseCases'),
  takeAlertsHere: token<TakeAlerts>('TakeAlertsHere'),
  takingOfAlerts: token<TakingOfAlerts>('TakingOfAlerts'),
  alertIntake: token<LeanPath>('AlertIntake'),
} as const;
