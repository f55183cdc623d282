import { Type } from '@sinclair/typebox';
import type { Alerts } from '../../../../../application/alerts/alerts.js';
import type { AlertReader, ListedAlert } from '../../../../../application/alerts/ports/alert-readers.js';
import type { AlertSettings } from '../../../../../application/alerts/ports/alert-repositories.js';
import type { Actor } from '../../../../../application/shared/actor.js';
import type { PermittedProject } from '../../../../../application/shared/permitted.js';
import type { WorkspaceAccess } from '../../../../../application/workspace/workspace-access.js';
import { ALERT_STATUSES } from '../../../../../domain/alerts/alert.js';
import { SEVERITIES } from '../../../../../domain/alerts/severity.js';
import { NotFound } from '../../../../../domain/shared/domain-error.js';
import { readPageRequest } from '../../pagination/page-headers.js';
import { route, type PathParameters, type Route } from '../../route.js';
import { listOf, nullable, oneOf, pagedParameters, parameters, pathId, text } from '../../validation/parameters.js';
import type { WebUrls } from '../../web-urls.js';
import { component } from '../../openapi/component.js';

export interface AlertRoutesParts {
  readonly access: WorkspaceAccess;
  readonly alerts: Alerts;
  readonly alertReader: AlertReader;
  readonly urls: WebUrls;
}

const TAG = 'Alerts';
const SINCE = '12.4';
const BASE = '/projects/:id/alert_management_alerts';
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

const AlertSchema = component(
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

const SettingsSchema = Type.Object({
  create_incident: Type.Boolean({ description: 'Whether a new alert opens an incident' }),
  auto_close_incident: Type.Boolean({ description: 'Whether an alert that ends closes its incident' }),
  send_email: Type.Boolean({ description: 'Whether maintainers and owners are mailed' }),
});

const presentSettings = ({ createIncident, autoCloseIncident, sendEmail }: AlertSettings) => ({
  create_incident: createIncident,
  auto_close_incident: autoCloseIncident,
  send_email: sendEmail,
});

export const createAlertRoutes = ({ access, alerts, alertReader, urls }: AlertRoutesParts): readonly Route[] => {
  const id = pathId('Number, or URL-encoded path of the project');
  const one = { id, iid: pathId('Number of the alert within the project') };

  const presentPayload = ({ payload, projectId, iid }: ListedAlert) =>
    payload === null
      ? {
          payload: null,
          payload_omitted: true,
          payload_url: urls.api(`/projects/${projectId}/alert_management_alerts/${iid}`),
        }
      : { payload: JSON.parse(payload) as unknown };

  const present = (alert: ListedAlert, projectPath: string) => ({
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
    ...presentPayload(alert),
    web_url: urls.alert(projectPath, alert.iid),
    created_at: alert.createdAt.toISOString(),
    updated_at: alert.updatedAt.toISOString(),
  });

  interface Context {
    readonly actor: Actor;
    readonly path: PathParameters;
  }
  const findProject = ({ actor, path }: Context): Promise<PermittedProject<'manage_alerts'>> =>
    access.project(actor, path['id'], 'manage_alerts');
  const find = async (context: Context) => {
    const permitted = await findProject(context);
    const iid = context.path['iid'] ?? '';
    const alert = /^\d{1,15}$/.test(iid) ? await alertReader.find(permitted.project.id, Number(iid)) : undefined;
    if (alert === undefined) throw new NotFound('Alert');
    return { ...permitted, alert };
  };

  const list = route({
    method: 'get',
    path: BASE,
    operationId: 'listAlerts',
    summary: 'Alerts of a project',
    description: 'A list carries 64 KB of payloads; those beyond are null, and `payload_url` leads to them.',
    tag: TAG,
    since: SINCE,
    access: 'user',
    parameters: pagedParameters({
      id,
      status: Type.Optional(listOf(oneOf(ALERT_STATUSES), { description: 'One or more' })),
      severity: Type.Optional(oneOf(SEVERITIES)),
      environment: Type.Optional(text(255)),
      search: Type.Optional(text(255, 'Part of title, description, service or monitoring tool')),
      order_by: oneOf(['started_at', 'ended_at', 'events', 'severity', 'status', 'created_at', 'updated_at'], {
        default: 'started_at',
      }),
      sort: oneOf(['asc', 'desc'], { default: 'desc', description: 'Of a severity or status: the worst first' }),
    }),
    responses: { 200: Type.Array(AlertSchema) },
    guard: findProject,
    handle: async ({ subject: { project }, parameters: given }) => {
      const { status, severity, environment, search, order_by: orderBy, sort } = given;
      const request = readPageRequest(given);
      const page = await alertReader.list({
        projectId: project.id,
        ...(status === undefined ? {} : { statuses: status }),
        ...(severity === undefined ? {} : { severity }),
        ...(environment === undefined ? {} : { environment }),
        ...(search === undefined ? {} : { search }),
        orderBy,
        sort,
        page: request,
        payloadBytes: LISTED_PAYLOADS,
      });
      return { body: page.items.map((alert) => present(alert, project.fullPath)), page: { request, of: page } };
    },
  });

  const get = route({
    method: 'get',
    path: `${BASE}/:iid`,
    operationId: 'getAlert',
    summary: 'One alert',
    tag: TAG,
    since: SINCE,
    access: 'user',
    parameters: parameters(one),
    responses: { 200: AlertSchema },
    guard: find,
    handle: ({ subject: { project, alert } }) => Promise.resolve({ body: present(alert, project.fullPath) }),
  });

  const put = route({
    method: 'put',
    path: `${BASE}/:iid`,
    operationId: 'changeAlertStatus',
    summary: 'Change the status of an alert',
    description:
      'Resolving closes the incident, reopening reopens it. 409 beside another open alert of the fingerprint.',
    tag: TAG,
    since: SINCE,
    access: 'user',
    parameters: parameters({ ...one, status: oneOf(ALERT_STATUSES) }),
    responses: { 200: AlertSchema },
    guard: find,
    handle: async ({ actor, subject, parameters: { status } }) => {
      const { project, alert } = subject;
      await alerts.changeStatus(subject, alert.id, status, actor.id);
      const changed = await alertReader.find(project.id, alert.iid);
      if (changed === undefined) throw new NotFound('Alert');
      return { body: present(changed, project.fullPath) };
    },
  });

  const manage = ({ actor, path }: Context) => access.project(actor, path['id'], 'manage_alert_integrations');

  const getSettings = route({
    method: 'get',
    path: '/projects/:id/alert_settings',
    operationId: 'getAlertSettings',
    summary: 'What alerts of a project lead to',
    tag: TAG,
    since: SINCE,
    access: 'user',
    parameters: parameters({ id }),
    responses: { 200: SettingsSchema },
    guard: manage,
    handle: async ({ subject: { project } }) => ({ body: presentSettings(await alertReader.settings(project.id)) }),
  });

  const putSettings = route({
    method: 'put',
    path: '/projects/:id/alert_settings',
    operationId: 'editAlertSettings',
    summary: 'Change what alerts of a project lead to',
    tag: TAG,
    since: SINCE,
    access: 'user',
    parameters: parameters({ id, ...Type.Partial(SettingsSchema).properties }),
    responses: { 200: SettingsSchema },
    guard: manage,
    handle: async ({ subject, parameters: given }) => {
      const { create_incident: createIncident, auto_close_incident: autoCloseIncident, send_email: sendEmail } = given;
      const settings = await alerts.saveSettings(subject, {
        ...(createIncident === undefined ? {} : { createIncident }),
        ...(autoCloseIncident === undefined ? {} : { autoCloseIncident }),
        ...(sendEmail === undefined ? {} : { sendEmail }),
      });
      return { body: presentSettings(settings) };
    },
  });

  return [list, get, put, getSettings, putSettings];
};
