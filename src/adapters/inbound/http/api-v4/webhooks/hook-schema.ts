import { Type } from '@sinclair/typebox';
import type { LoggedDelivery } from '../../../../../application/webhooks/ports/webhook-ports.js';
import { HEADER_OF, WEBHOOK_EVENTS, type Webhook, type WebhookEvent } from '../../../../../domain/webhooks/webhook.js';
import { component } from '../../openapi/component.js';
import { nullable } from '../../validation/parameters.js';

const FLAGS = Object.fromEntries(WEBHOOK_EVENTS.map((event) => [event, Type.Boolean()])) as Record<
  WebhookEvent,
  ReturnType<typeof Type.Boolean>
>;

export const HookSchema = component(
  'schemas/Webhook',
  Type.Object({
    id: Type.Integer(),
    url: Type.String(),
    created_at: Type.String({ format: 'date-time' }),
    project_id: Type.Integer(),
    ...FLAGS,
    enable_ssl_verification: Type.Boolean(),
    push_events_branch_filter: nullable(Type.String()),
    custom_headers: Type.Array(Type.Object({ key: Type.String() })),
    alert_status: Type.String({ description: '`executable`, or `disabled` after too many failures' }),
    disabled_until: Type.Null(),
  }),
);

export const DeliverySchema = component(
  'schemas/WebhookDelivery',
  Type.Object({
    id: Type.Integer(),
    url: Type.String(),
    trigger: Type.String(),
    status: Type.String({ description: '`waiting`, `delivered` or `failed`' }),
    attempts: Type.Integer(),
    request_headers: Type.Record(Type.String(), Type.String()),
    request_data: Type.Unknown(),
    response_status: nullable(Type.Integer()),
    response_body: nullable(Type.String()),
    execution_duration: nullable(Type.Number({ description: 'Seconds' })),
    problem: nullable(Type.String()),
    created_at: Type.String({ format: 'date-time' }),
  }),
);

export const presentHook = (webhook: Webhook) => ({
  id: webhook.id,
  url: webhook.url,
  created_at: webhook.createdAt.toISOString(),
  project_id: webhook.projectId,
  ...Object.fromEntries(WEBHOOK_EVENTS.map((event) => [event, webhook.events.has(event)])),
  enable_ssl_verification: webhook.verifyCertificate,
  push_events_branch_filter: webhook.branchFilter,
  custom_headers: webhook.headerNames.map((key) => ({ key })),
  alert_status: webhook.disabledAt === null ? 'executable' : 'disabled',
  disabled_until: null,
});

export const presentDelivery = ({ url }: Webhook, delivery: LoggedDelivery) => ({
  id: delivery.id,
  url,
  trigger: delivery.event,
  status: delivery.state,
  attempts: delivery.attempts,
  request_headers: {
    'Content-Type': 'application/json',
    'X-Gitlab-Event': HEADER_OF[delivery.event],
    'X-Gitlab-Event-UUID': delivery.uuid,
  },
  request_data: delivery.requestBody === null ? null : (JSON.parse(delivery.requestBody) as unknown),
  response_status: delivery.status,
  response_body: delivery.responseBody,
  execution_duration: delivery.durationMs === null ? null : delivery.durationMs / 1_000,
  problem: delivery.problem,
  created_at: delivery.createdAt.toISOString(),
});
