import { Type } from '@sinclair/typebox';
import type { Alerts } from '../../../../../application/alerts/alerts.js';
import type { AlertReader } from '../../../../../application/alerts/ports/alert-readers.js';
import type { WorkspaceAccess } from '../../../../../application/workspace/workspace-access.js';
import { ALERT_STATUSES } from '../../../../../domain/alerts/alert.js';
import { SEVERITIES } from '../../../../../domain/alerts/severity.js';
import { given } from '../../kit/given.js';
import { found, inProject, PROJECT_ID } from '../../kit/guards.js';
import { orNotFound } from '../../kit/or-not-found.js';
import { routesOf } from '../../kit/routes-of.js';
import type { Route } from '../../route.js';
import { listOf, oneOf, pathId, text } from '../../validation/parameters.js';
import type { WebUrls } from '../../web-urls.js';
import { AlertSchema, AlertSettingsSchema, LISTED_PAYLOADS, presentAlert, presentSettings } from './alert-schema.js';

export interface AlertRoutesParts {
  readonly access: WorkspaceAccess;
  readonly alerts: Alerts;
  readonly alertReader: AlertReader;
  readonly urls: WebUrls;
}
type Parts = AlertRoutesParts;

const ALL = '/projects/:id/alert_management_alerts';
const ONE = `${ALL}/:iid`;
const SETTINGS = '/projects/:id/alert_settings';
const IN_PATH = { id: PROJECT_ID, iid: pathId('Number of the alert within the project') };
const ORDERS = ['started_at', 'ended_at', 'events', 'severity', 'status', 'created_at', 'updated_at'] as const;

const { list, get, put } = routesOf({ tag: 'Alerts', since: '12.4' });

const inAlert = ({ access, alertReader }: Parts) =>
  found('Alert', 'iid', inProject(access, 'manage_alerts'), ({ project }, iid) => alertReader.find(project.id, iid));

export const listAlerts = ({ access, alertReader, urls }: Parts) =>
  list(ALL, 'listAlerts', {
    summary: 'Alerts of a project',
    description: 'A list carries 64 KB of payloads; those beyond are null, and `payload_url` leads to them.',
    access: 'user',
    parameters: {
      id: PROJECT_ID,
      status: Type.Optional(listOf(oneOf(ALERT_STATUSES), { description: 'One or more' })),
      severity: Type.Optional(oneOf(SEVERITIES)),
      environment: Type.Optional(text(255)),
      search: Type.Optional(text(255, 'Part of title, description, service or monitoring tool')),
      order_by: oneOf(ORDERS, { default: 'started_at' }),
      sort: oneOf(['asc', 'desc'], { default: 'desc', description: 'Of a severity or status: the worst first' }),
    },
    items: AlertSchema,
    guard: inProject(access, 'manage_alerts'),
    read: ({ subject: { project }, parameters, page }) => {
      const { status: statuses, severity, environment, search, order_by: orderBy, sort } = parameters;
      const filters = given({ statuses, severity, environment, search });
      return alertReader.list({
        ...filters,
        projectId: project.id,
        orderBy,
        sort,
        page,
        payloadBytes: LISTED_PAYLOADS,
      });
    },
    present: (alert, { subject: { project } }) => presentAlert(alert, project.fullPath, urls),
  });

export const getAlert = (parts: Parts) =>
  get(ONE, 'getAlert', {
    summary: 'One alert',
    access: 'user',
    parameters: IN_PATH,
    answer: AlertSchema,
    guard: inAlert(parts),
    handle: ({ subject: { project, alert } }) => presentAlert(alert, project.fullPath, parts.urls),
  });

export const changeAlertStatus = (parts: Parts) =>
  put(ONE, 'changeAlertStatus', {
    summary: 'Change the status of an alert',
    description:
      'Resolving closes the incident, reopening reopens it. 409 beside another open alert of the fingerprint.',
    access: 'user',
    parameters: { ...IN_PATH, status: oneOf(ALERT_STATUSES) },
    answer: AlertSchema,
    guard: inAlert(parts),
    handle: async ({ actor, subject, parameters: { status } }) => {
      const { project, alert } = subject;
      await parts.alerts.changeStatus(subject, alert.id, status, actor.id);
      const changed = orNotFound(await parts.alertReader.find(project.id, alert.iid), 'Alert');
      return presentAlert(changed, project.fullPath, parts.urls);
    },
  });

export const getAlertSettings = ({ access, alertReader }: Parts) =>
  get(SETTINGS, 'getAlertSettings', {
    summary: 'What alerts of a project lead to',
    access: 'user',
    parameters: { id: PROJECT_ID },
    answer: AlertSettingsSchema,
    guard: inProject(access, 'manage_alert_integrations'),
    handle: async ({ subject: { project } }) => presentSettings(await alertReader.settings(project.id)),
  });

export const editAlertSettings = ({ access, alerts }: Parts) =>
  put(SETTINGS, 'editAlertSettings', {
    summary: 'Change what alerts of a project lead to',
    access: 'user',
    parameters: { id: PROJECT_ID, ...Type.Partial(AlertSettingsSchema).properties },
    answer: AlertSettingsSchema,
    guard: inProject(access, 'manage_alert_integrations'),
    handle: async ({ subject, parameters }) => {
      const { create_incident: createIncident, auto_close_incident: autoCloseIncident } = parameters;
      const changes = given({ createIncident, autoCloseIncident, sendEmail: parameters.send_email });
      return presentSettings(await alerts.saveSettings(subject, changes));
    },
  });

export const createAlertRoutes = (parts: Parts): readonly Route[] =>
  [listAlerts, getAlert, changeAlertStatus, getAlertSettings, editAlertSettings].map((make) => make(parts));
