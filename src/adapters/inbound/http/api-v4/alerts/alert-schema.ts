import { Type } from '@sinclair/typebox';
import type { ListedAlert } from '../../../../../application/alerts/ports/alert-readers.js';
import type { AlertSettings } from '../../../../../application/alerts/ports/alert-repositories.js';
import { ALERT_STATUSES } from '../../../../../domain/alerts/alert.js';
import { SEVERITIES } from '../../../../../domain/alerts/severity.js';
import { component } from '../../openapi/component.js';
import { nullable } from '../../validation/parameters.js';
import type { WebUrls } from '../../web-urls.js';

const instant = Type.String({ format: 'date-time' });

/** As much of payloads as a list carries, in bytes of all together. */
export const LISTED_PAYLOADS = 65_536;

/** In place of a payload that a list is large enough without. */
export const OMITTED_PAYLOAD = {
  payload_omitted: Type.Optional(
    Type.Literal(true, { description: 'Of a list that carries 64 KB of payloads already: `payload_url` has this one' }),
  ),
  payload_url: Type.Optional(Type.String({ description: 'Where the payload is, when the list omits it' })),
};

export const AlertSchema = component(
  'schemas/Alert',
  Type.Object({
    iid: Type.Integer({ description: 'Counted within the project' }),
    title: Type.String(),
    description: nullable(Type.String()),
    status: Type.String({ description: ALERT_STATUSES.join(', ') }),
    severity: Type.String({ description: SEVERITIES.join(', ') }),
    service: nullable(Type.String()),
    monitoring_tool: nullable(Type.String()),
    hosts: Type.Array(Type.String()),
    environment: nullable(Type.String({ description: 'The name that was given' })),
    started_at: instant,
    ended_at: nullable(instant),
    events: Type.Integer({ description: 'How often it arrived' }),
    issue_iid: nullable(Type.Integer({ description: 'Its incident' })),
    fingerprint: nullable(Type.String()),
    payload: Type.Unknown({ description: 'The JSON as it was sent; null where a list omits it' }),
    ...OMITTED_PAYLOAD,
    web_url: Type.String(),
    created_at: instant,
    updated_at: instant,
  }),
);

const presentPayload = ({ payload, projectId, iid }: ListedAlert, urls: WebUrls) =>
  payload === null
    ? {
        payload: null,
        payload_omitted: true,
        payload_url: urls.api(`/projects/${projectId}/alert_management_alerts/${iid}`),
      }
    : { payload: JSON.parse(payload) as unknown };

export const presentAlert = (alert: ListedAlert, projectPath: string, urls: WebUrls) => ({
  iid: alert.iid,
  title: alert.title,
  description: alert.description,
  status: alert.status,
  severity: alert.severity,
  service: alert.service,
  monitoring_tool: alert.monitoringTool,
  hosts: alert.hosts,
  environment: alert.environment,
  started_at: alert.startedAt.toISOString(),
  ended_at: alert.endedAt?.toISOString() ?? null,
  events: alert.events,
  issue_iid: alert.issueIid,
  fingerprint: alert.fingerprint,
  ...presentPayload(alert, urls),
  web_url: urls.alert(projectPath, alert.iid),
  created_at: alert.createdAt.toISOString(),
  updated_at: alert.updatedAt.toISOString(),
});

export const AlertSettingsSchema = component(
  'schemas/AlertSettings',
  Type.Object({
    create_incident: Type.Boolean({ description: 'Whether a new alert opens an incident' }),
    auto_close_incident: Type.Boolean({ description: 'Whether an alert that ends closes its incident' }),
    send_email: Type.Boolean({ description: 'Whether maintainers and owners are mailed' }),
  }),
);

export const presentSettings = ({ createIncident, autoCloseIncident, sendEmail }: AlertSettings) => ({
  create_incident: createIncident,
  auto_close_incident: autoCloseIncident,
  send_email: sendEmail,
});
