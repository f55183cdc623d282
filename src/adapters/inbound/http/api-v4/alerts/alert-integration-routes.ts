import { Type } from '@sinclair/typebox';
import type { IntegrationWithKey } from '../../../../../application/alerts/ports/alert-readers.js';
import type { UserActor } from '../../../../../application/shared/actor.js';
import { INTEGRATION_TYPES, intakePath, type Integration } from '../../../../../domain/alerts/integration.js';
import type { Project } from '../../../../../domain/workspace/namespace.js';
import { checkPayload } from '../../alert-intake/refusals.js';
import { given } from '../../kit/given.js';
import { inProject, PROJECT_ID } from '../../kit/guards.js';
import { orNotFound } from '../../kit/or-not-found.js';
import { routesOf } from '../../kit/routes-of.js';
import { component } from '../../openapi/component.js';
import type { Route } from '../../route.js';
import { nullable, oneOf, text } from '../../validation/parameters.js';
import { getAlertDelivery, listAlertDeliveries, replayAlertDelivery } from './alert-delivery-routes.js';
import {
  ALL_INTEGRATIONS,
  IN_INTEGRATION,
  inIntegration,
  ONE_INTEGRATION,
  type AlertIntegrationRoutesParts,
} from './find-integration.js';
import {
  PAYLOAD,
  PAYLOAD_BODY,
  payloadText,
  testAlertIntegration,
  testAlerts,
  TouchedSchema,
} from './test-alert-routes.js';

export type { AlertIntegrationRoutesParts } from './find-integration.js';

type Parts = AlertIntegrationRoutesParts;

const { list, get, post, put, remove } = routesOf({ tag: 'Alert integrations', since: '12.4' });

const IntegrationSchema = component(
  'schemas/AlertIntegration',
  Type.Object({
    id: Type.Integer(),
    name: Type.String(),
    type: Type.String({ description: INTEGRATION_TYPES.join(', ') }),
    active: Type.Boolean(),
    url: nullable(Type.String({ description: 'Where to send alerts; null while inactive, and for a link' })),
    token: nullable(
      Type.String({
        description: 'The Authorization Key; null while inactive, for a link, and to a token without the scope `api`',
      }),
    ),
    api_url: nullable(Type.String({ description: 'Of a link' })),
  }),
);

/** Who holds the key may send alerts, which is more than to read: a token needs the scope that writes. */
const seesKeys = ({ credential }: UserActor): boolean =>
  credential.kind === 'session' || credential.scopes.includes('api');

const present = (
  { alertIntegrations, urls }: Parts,
  actor: UserActor,
  { integration, sealedKey }: IntegrationWithKey,
  { fullPath }: Project,
) => {
  const path = intakePath(integration);
  const shown = integration.active && path !== undefined;
  return {
    id: integration.id,
    name: integration.name,
    type: integration.type,
    active: integration.active,
    url: shown ? urls.alertIntake(fullPath, path) : null,
    token: shown && seesKeys(actor) ? alertIntegrations.reveal(sealedKey) : null,
    api_url: integration.apiUrl,
  };
};

const show = async (parts: Parts, actor: UserActor, project: Project, id: number) =>
  present(parts, actor, orNotFound(await parts.integrationReader.find(project.id, id), 'Integration'), project);

export const listAlertIntegrations = (parts: Parts) =>
  list(ALL_INTEGRATIONS, 'listAlertIntegrations', {
    summary: 'Ways by which a project takes alerts',
    access: 'user',
    parameters: { id: PROJECT_ID },
    items: IntegrationSchema,
    guard: inProject(parts.access, 'manage_alert_integrations'),
    read: ({ subject: { project }, page }) => parts.integrationReader.list(project.id, page),
    present: (integration, { actor, subject: { project } }) => present(parts, actor, integration, project),
  });

export const getAlertIntegration = (parts: Parts) =>
  get(ONE_INTEGRATION, 'getAlertIntegration', {
    summary: 'One integration',
    access: 'user',
    parameters: IN_INTEGRATION,
    answer: IntegrationSchema,
    guard: inIntegration(parts, 'manage_alert_integrations'),
    handle: ({ actor, subject: { project, integration } }) => present(parts, actor, integration, project),
  });

/** What a sample payload leads to, where it is sent at once by an integration that takes payloads. */
const testNow = async ({ takeByHand }: Parts, integration: Integration, project: Project, sample: string | null) =>
  sample !== null && integration.active && integration.type !== 'link'
    ? { test_result: await takeByHand({ integration, projectPath: project.fullPath, text: sample }) }
    : {};

export const createAlertIntegration = (parts: Parts) =>
  post(ALL_INTEGRATIONS, 'createAlertIntegration', {
    summary: 'Add an integration',
    access: 'user',
    parameters: {
      id: PROJECT_ID,
      type: oneOf(INTEGRATION_TYPES),
      name: text(1_000),
      active: Type.Boolean({ default: true }),
      api_url: Type.Optional(nullable(text(1_000, 'Of a link'))),
      sample_payload: Type.Optional(PAYLOAD),
      test: Type.Optional(Type.Boolean({ description: 'Send the sample payload at once' })),
    },
    body: PAYLOAD_BODY,
    answer: component(
      'schemas/NewAlertIntegration',
      Type.Object({ ...IntegrationSchema.properties, test_result: Type.Optional(TouchedSchema) }),
    ),
    guard: inProject(parts.access, 'manage_alert_integrations'),
    handle: async ({ actor, subject, parameters: { type, name, active, api_url: apiUrl = null, ...sent } }) => {
      const samplePayload = sent.sample_payload === undefined ? null : payloadText(sent.sample_payload);
      if (samplePayload !== null) checkPayload(samplePayload);
      const fields = { type, name, active, apiUrl, samplePayload };
      const created = await parts.alertIntegrations.create(subject, fields);
      const tested = sent.test === true ? await testNow(parts, created, subject.project, samplePayload) : {};
      return { ...(await show(parts, actor, subject.project, created.id)), ...tested };
    },
  });

export const editAlertIntegration = (parts: Parts) =>
  put(ONE_INTEGRATION, 'editAlertIntegration', {
    summary: 'Rename an integration, or switch it on or off',
    access: 'user',
    parameters: {
      ...IN_INTEGRATION,
      name: Type.Optional(text(1_000)),
      active: Type.Optional(Type.Boolean()),
      api_url: Type.Optional(nullable(text(1_000))),
    },
    answer: IntegrationSchema,
    guard: inIntegration(parts, 'manage_alert_integrations'),
    handle: async ({ actor, subject, parameters: { name, active, api_url: apiUrl } }) => {
      const { id } = subject.integration.integration;
      await parts.alertIntegrations.edit(subject, id, given({ name, active, apiUrl }));
      return show(parts, actor, subject.project, id);
    },
  });

export const removeAlertIntegration = (parts: Parts) =>
  remove(ONE_INTEGRATION, 'removeAlertIntegration', {
    summary: 'Remove an integration; its alerts stay',
    access: 'user',
    parameters: IN_INTEGRATION,
    guard: inIntegration(parts, 'manage_alert_integrations'),
    handle: ({ subject }) => parts.alertIntegrations.remove(subject, subject.integration.integration.id),
  });

export const resetAlertIntegrationToken = (parts: Parts) =>
  post(`${ONE_INTEGRATION}/reset_token`, 'resetAlertIntegrationToken', {
    summary: 'Replace the Authorization Key; the old one is refused at once',
    access: 'user',
    parameters: IN_INTEGRATION,
    answer: IntegrationSchema,
    guard: inIntegration(parts, 'manage_alert_integrations'),
    handle: async ({ actor, subject }) => {
      const { id } = subject.integration.integration;
      await parts.alertIntegrations.resetKey(subject, id);
      return show(parts, actor, subject.project, id);
    },
  });

export const createAlertIntegrationRoutes = (parts: Parts): readonly Route[] =>
  [
    listAlertIntegrations,
    testAlerts,
    getAlertIntegration,
    createAlertIntegration,
    editAlertIntegration,
    removeAlertIntegration,
    resetAlertIntegrationToken,
    testAlertIntegration,
    listAlertDeliveries,
    getAlertDelivery,
    replayAlertDelivery,
  ].map((make) => make(parts));
