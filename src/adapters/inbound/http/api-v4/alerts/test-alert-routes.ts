import { Type } from '@sinclair/typebox';
import type { IntegrationWithKey } from '../../../../../application/alerts/ports/alert-readers.js';
import { PAYLOAD_BOUNDS } from '../../../../../domain/alerts/parse-payload.js';
import type { Project } from '../../../../../domain/workspace/namespace.js';
import { ORDINARY_BODY, type BodyBounds } from '../../body/read-body.js';
import { inProject, PROJECT_ID } from '../../kit/guards.js';
import { orNotFound } from '../../kit/or-not-found.js';
import { routesOf } from '../../kit/routes-of.js';
import { component } from '../../openapi/component.js';
import { anyJson } from '../../validation/parameters.js';
import {
  ALL_INTEGRATIONS,
  IN_INTEGRATION,
  inIntegration,
  ONE_INTEGRATION,
  type AlertIntegrationRoutesParts,
} from './find-integration.js';

type Parts = AlertIntegrationRoutesParts;

const FIRST = { page: 1, perPage: 100 };

const { post } = routesOf({ tag: 'Alert integrations', since: '12.4' });

/** The alerts that a payload touched. */
export const TouchedSchema = component(
  'schemas/TouchedAlerts',
  Type.Array(Type.Object({ iid: Type.Integer(), title: Type.String() })),
);

/** A payload may be as large as at the intake, whose own bounds hold for it. */
export const PAYLOAD_BODY: BodyBounds = {
  ...ORDINARY_BODY,
  json: { ...PAYLOAD_BOUNDS, depth: PAYLOAD_BOUNDS.depth + 1, keys: PAYLOAD_BOUNDS.keys + 10 },
};

/** An object, or JSON text. */
export const PAYLOAD = anyJson('A JSON object, or JSON text');
export const payloadText = (payload: unknown): string =>
  typeof payload === 'string' ? payload : JSON.stringify(payload ?? null);

const test = ({ takeByHand }: Parts, project: Project, { integration }: IntegrationWithKey, payload: unknown) =>
  takeByHand({ integration, projectPath: project.fullPath, text: payloadText(payload) });

export const testAlerts = (parts: Parts) =>
  post(`${ALL_INTEGRATIONS}/test`, 'testAlerts', {
    summary: 'Send a test alert by the first active integration',
    access: 'user',
    parameters: { id: PROJECT_ID, payload: PAYLOAD },
    body: PAYLOAD_BODY,
    answer: TouchedSchema,
    guard: inProject(parts.access, 'send_test_alerts'),
    handle: async ({ subject: { project }, parameters: { payload } }) => {
      const { items } = await parts.integrationReader.list(project.id, FIRST);
      const first = items.find(({ integration: { active, type } }) => active && type !== 'link');
      return test(parts, project, orNotFound(first, 'Integration'), payload);
    },
  });

export const testAlertIntegration = (parts: Parts) =>
  post(`${ONE_INTEGRATION}/test`, 'testAlertIntegration', {
    summary: 'Send a test alert by an integration',
    access: 'user',
    parameters: { ...IN_INTEGRATION, payload: PAYLOAD },
    body: PAYLOAD_BODY,
    answer: TouchedSchema,
    guard: inIntegration(parts, 'send_test_alerts'),
    handle: ({ subject: { project, integration }, parameters: { payload } }) =>
      test(parts, project, integration, payload),
  });
