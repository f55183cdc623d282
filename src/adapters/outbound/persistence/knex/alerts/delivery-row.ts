import type { Delivery } from '../../../../../application/alerts/ports/alert-repositories.js';
import type { Dialect } from '../dialect/dialect.js';

export interface DeliveryRow {
  readonly id: number;
  readonly integration_id: number;
  readonly outcome: string;
  readonly reason: string;
  readonly status: number;
  readonly alert_iids: string;
  readonly payload: string | null;
  readonly received_at: unknown;
}

export const toDelivery = (row: DeliveryRow, dialect: Dialect): Delivery & { readonly id: number } => ({
  id: row.id,
  integrationId: row.integration_id,
  outcome: row.outcome as Delivery['outcome'],
  reason: row.reason,
  status: row.status,
  alertIids: JSON.parse(row.alert_iids) as number[],
  payload: row.payload,
  receivedAt: dialect.readInstant(row.received_at),
});
