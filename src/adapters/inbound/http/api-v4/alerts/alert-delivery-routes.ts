import { Type } from '@sinclair/typebox';
import type { IntegrationWithKey, ListedDelivery } from '../../../../../application/alerts/ports/alert-readers.js';
import { HttpError } from '../../http-error.js';
import { found } from '../../kit/guards.js';
import { routesOf } from '../../kit/routes-of.js';
import { component } from '../../openapi/component.js';
import { nullable, pathId } from '../../validation/parameters.js';
import type { WebUrls } from '../../web-urls.js';
import { LISTED_PAYLOADS, OMITTED_PAYLOAD } from './alert-schema.js';
import {
  IN_INTEGRATION,
  inIntegration,
  ONE_INTEGRATION,
  type AlertIntegrationRoutesParts,
} from './find-integration.js';
import { TouchedSchema } from './test-alert-routes.js';

type Parts = AlertIntegrationRoutesParts;

const ALL = `${ONE_INTEGRATION}/deliveries`;
const ONE = `${ALL}/:delivery_id`;
const IN_PATH = { ...IN_INTEGRATION, delivery_id: pathId('Numeric id of the delivery') };

const { list, get, post } = routesOf({ tag: 'Alert integrations', since: '12.4' });

const DeliverySchema = component(
  'schemas/AlertDelivery',
  Type.Object({
    id: Type.Integer(),
    outcome: Type.String({ description: 'accepted, refused or throttled' }),
    reason: Type.String(),
    status: Type.Integer({ description: 'What the sender was answered' }),
    alert_iids: Type.Array(Type.Integer()),
    payload: nullable(
      Type.String({ description: 'As it was sent; null once it is not kept, or where a list omits it' }),
    ),
    ...OMITTED_PAYLOAD,
    received_at: Type.String({ format: 'date-time' }),
  }),
);

const present = (delivery: ListedDelivery, { integration }: IntegrationWithKey, urls: WebUrls) => {
  const ofProject = `/projects/${integration.projectId}/alert_integrations/${integration.id}`;
  return {
    id: delivery.id,
    outcome: delivery.outcome,
    reason: delivery.reason,
    status: delivery.status,
    alert_iids: delivery.alertIids,
    payload: delivery.payload,
    ...(delivery.payloadOmitted && {
      payload_omitted: true,
      payload_url: urls.api(`${ofProject}/deliveries/${delivery.id}`),
    }),
    received_at: delivery.receivedAt.toISOString(),
  };
};

const inDelivery = (parts: Parts) =>
  found('Delivery', 'delivery_id', inIntegration(parts, 'manage_alert_integrations'), (place, id) =>
    parts.integrationReader.findDelivery(place.integration.integration.id, id),
  );

export const listAlertDeliveries = (parts: Parts) =>
  list(ALL, 'listAlertDeliveries', {
    summary: 'What was sent to an integration lately, and what became of it',
    description: 'A list carries 64 KB of payloads; those beyond are null, and `payload_url` leads to them.',
    access: 'user',
    parameters: IN_INTEGRATION,
    items: DeliverySchema,
    guard: inIntegration(parts, 'manage_alert_integrations'),
    read: ({ subject: { integration }, page }) =>
      parts.integrationReader.deliveries(integration.integration.id, page, LISTED_PAYLOADS),
    present: (delivery, { subject: { integration } }) => present(delivery, integration, parts.urls),
  });

export const getAlertDelivery = (parts: Parts) =>
  get(ONE, 'getAlertDelivery', {
    summary: 'One request of the log, with its payload',
    access: 'user',
    parameters: IN_PATH,
    answer: DeliverySchema,
    guard: inDelivery(parts),
    handle: ({ subject: { integration, delivery } }) => present(delivery, integration, parts.urls),
  });

export const replayAlertDelivery = (parts: Parts) =>
  post(`${ONE}/replay`, 'replayAlertDelivery', {
    summary: 'Take a payload of the log once more',
    access: 'user',
    parameters: IN_PATH,
    answer: TouchedSchema,
    guard: inDelivery(parts),
    handle: ({ subject: { project, integration, delivery } }) => {
      if (delivery.payload === null) throw new HttpError(400, 'The payload of that delivery is not kept any more.');
      const taken = { integration: integration.integration, projectPath: project.fullPath, text: delivery.payload };
      return parts.takeByHand(taken);
    },
  });
