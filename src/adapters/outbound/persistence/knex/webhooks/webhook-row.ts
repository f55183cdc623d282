import type { HeldWebhook } from '../../../../../application/webhooks/ports/webhook-ports.js';
import type { Webhook, WebhookEvent } from '../../../../../domain/webhooks/webhook.js';
import type { Dialect } from '../dialect/dialect.js';
import type { RowOf } from '../tables.js';

export type WebhookRow = Pick<
  RowOf<'webhooks'>,
  | 'id'
  | 'project_id'
  | 'url'
  | 'events'
  | 'branch_filter'
  | 'verify_certificate'
  | 'sealed_token'
  | 'header_names'
  | 'disabled_at'
  | 'created_at'
>;

/** Named one by one: a statement that is kept would not see a column that comes later. */
export const WEBHOOK_COLUMNS: readonly (keyof WebhookRow)[] = [
  'id',
  'project_id',
  'url',
  'events',
  'branch_filter',
  'verify_certificate',
  'sealed_token',
  'header_names',
  'disabled_at',
  'created_at',
];

export const toWebhook = (row: WebhookRow, dialect: Dialect): Webhook => ({
  id: row.id,
  projectId: row.project_id,
  url: row.url,
  events: new Set(JSON.parse(row.events) as WebhookEvent[]),
  branchFilter: row.branch_filter,
  verifyCertificate: Boolean(row.verify_certificate),
  hasToken: row.sealed_token !== null,
  headerNames: JSON.parse(row.header_names) as string[],
  disabledAt: row.disabled_at === null ? null : dialect.readInstant(row.disabled_at),
  createdAt: dialect.readInstant(row.created_at),
});

export const toHeldWebhook = (row: RowOf<'webhooks'>, dialect: Dialect): HeldWebhook => ({
  ...toWebhook(row, dialect),
  sealedHeaderValues: row.sealed_header_values,
});
