import type { DeliveryState } from '../../../../../application/webhooks/ports/webhook-ports.js';
import type { DeliveredEvent } from '../../../../../domain/webhooks/webhook.js';
import {
  boolean,
  code,
  id,
  instant,
  integer,
  json,
  nullable,
  onceExpired,
  reference,
  sealed,
  table,
  text,
} from './table.js';

export const WEBHOOK_TABLES = {
  webhooks: table({
    key: ['id'],
    size: 'few',
    columns: {
      id,
      project_id: reference('projects'),
      url: text,
      sealed_token: nullable(sealed),
      events: json,
      branch_filter: nullable(text),
      verify_certificate: boolean,
      failures: integer,
      disabled_at: nullable(instant),
      created_at: instant,
      updated_at: instant,
    },
  }),
  webhook_deliveries: table({
    key: ['id'],
    size: 'flood',
    pruned: [onceExpired],
    columns: {
      id,
      webhook_id: reference('webhooks'),
      uuid: text,
      event: code<DeliveredEvent>(),
      facts: json,
      state: code<DeliveryState>(),
      attempts: integer,
      due_at: instant,
      request_body: nullable(text),
      response_status: nullable(integer),
      response_body: nullable(text),
      duration_ms: nullable(integer),
      problem: nullable(text),
      created_at: instant,
      expires_at: instant,
    },
  }),
};
