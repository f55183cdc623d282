import type { ListedDelivery } from '../../../../../application/alerts/ports/alert-readers.js';
import type { Knex } from 'knex';
import type { Dialect } from '../dialect/dialect.js';
import type { RowOf } from '../tables.js';

export type DeliveryRow = Omit<RowOf<'alert_deliveries'>, 'payload' | 'expires_at'> & { readonly bytes: number | null };

const COLUMNS = ['id', 'integration_id', 'outcome', 'reason', 'status', 'alert_iids', 'received_at'] as const;

/** What is selected of a delivery beside its payload. */
export const deliveryColumns = (query: Knex): readonly (string | Readonly<Record<string, Knex.Raw>>)[] => [
  ...COLUMNS,
  { bytes: query.raw('octet_length(payload)') },
];

/** @param payload as far as it was read; `bytes` is how long it is. */
export const toDelivery = (row: DeliveryRow, payload: string | null, dialect: Dialect): ListedDelivery => ({
  id: row.id,
  integrationId: row.integration_id,
  outcome: row.outcome,
  reason: row.reason,
  status: row.status,
  alertIids: JSON.parse(row.alert_iids) as number[],
  payload,
  payloadOmitted: payload === null && row.bytes !== null,
  receivedAt: dialect.readInstant(row.received_at),
});
