import { Type } from '@sinclair/typebox';
import type { AlertIntegrations } from '../../../../../application/alerts/alert-integrations.js';
import type { TouchedAlert } from '../../../../../application/alerts/receive-alerts.js';
import type {
  IntegrationReader,
  IntegrationWithKey,
  ListedDelivery,
} from '../../../../../application/alerts/ports/alert-readers.js';
import type { Actor, UserActor } from '../../../../../application/shared/actor.js';
import type { PermittedProject } from '../../../../../application/shared/permitted.js';
import type { WorkspaceAccess } from '../../../../../application/workspace/workspace-access.js';
import { INTEGRATION_TYPES, intakePath } from '../../../../../domain/alerts/integration.js';
import { PAYLOAD_BOUNDS } from '../../../../../domain/alerts/parse-payload.js';
import { NotFound } from '../../../../../domain/shared/domain-error.js';
import type { ProjectPermission } from '../../../../../domain/workspace/workspace-policy.js';
import { checkPayload } from '../../alert-intake/refusals.js';
import type { TakeByHand } from '../../alert-intake/take-by-hand.js';
import { ORDINARY_BODY, type BodyBounds } from '../../body/read-body.js';
import { HttpError } from '../../http-error.js';
import { readPageRequest } from '../../pagination/page-headers.js';
import { route, type PathParameters, type Route } from '../../route.js';
import { anyJson, nullable, oneOf, pagedParameters, parameters, pathId, text } from '../../validation/parameters.js';
import type { WebUrls } from '../../web-urls.js';
import { LISTED_PAYLOADS, OMITTED_PAYLOAD } from './alert-routes.js';
import { component } from '../../openapi/component.js';

export interface AlertIntegrationRoutesParts {
  readonly access: WorkspaceAccess;
  readonly alertIntegrations: AlertIntegrations;
  readonly integrationReader: IntegrationReader;
  readonly takeByHand: TakeByHand;
  readonly urls: WebUrls;
}

const TAG = 'Alert integrations';
const SINCE = '12.4';
const BASE = '/projects/:id/alert_integrations';
const FIRST = { page: 1, perPage: 100 };

const TouchedSchema = Type.Array(Type.Object({ iid: Type.Integer(), title: Type.String() }));

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

/** @param address of the delivery itself. */
const presentDelivery = (delivery: ListedDelivery, address: string) => ({
  id: delivery.id,
  outcome: delivery.outcome,
  reason: delivery.reason,
  status: delivery.status,
  alert_iids: delivery.alertIids,
  payload: delivery.payload,
  ...(delivery.payloadOmitted ? { payload_omitted: true, payload_url: address } : {}),
  received_at: delivery.receivedAt.toISOString(),
});

/** A payload may be as large as at the intake, whose own bounds hold for it. */
const PAYLOAD_BODY: BodyBounds = {
  ...ORDINARY_BODY,
  json: { ...PAYLOAD_BOUNDS, depth: PAYLOAD_BOUNDS.depth + 1, keys: PAYLOAD_BOUNDS.keys + 10 },
};

/** An object, or JSON text. */
const payloadParameter = anyJson('A JSON object, or JSON text');
const payloadText = (payload: unknown): string =>
  typeof payload === 'string' ? payload : JSON.stringify(payload ?? null);

/** Who holds the key may send alerts, which is more than to read: a token needs the scope that writes. */
const seesKeys = ({ credential }: UserActor): boolean =>
  credential.kind === 'session' || credential.scopes.includes('api');

interface Context {
  readonly actor: Actor;
  readonly path: PathParameters;
}

interface Finding {
  readonly found: IntegrationWithKey;
}
type Found<P extends ProjectPermission> = PermittedProject<P> & Finding;

export const createAlertIntegrationRoutes = (parts: AlertIntegrationRoutesParts): readonly Route[] => {
  const { access, alertIntegrations, integrationReader, takeByHand, urls } = parts;
  const id = pathId('Number, or URL-encoded path of the project');
  const one = { id, integration_id: pathId('Numeric id of the integration') };

  const findProject =
    <P extends ProjectPermission>(permission: P) =>
    ({ actor, path }: Context): Promise<PermittedProject<P>> =>
      access.project(actor, path['id'], permission);
  const manageProject = findProject('manage_alert_integrations');

  const find =
    <P extends ProjectPermission>(permission: P) =>
    async (context: Context): Promise<Found<P>> => {
      const permitted = await findProject(permission)(context);
      const number = context.path['integration_id'] ?? '';
      const found = /^\d{1,15}$/.test(number)
        ? await integrationReader.find(permitted.project.id, Number(number))
        : undefined;
      if (found === undefined) throw new NotFound('Integration');
      return { ...permitted, found };
    };
  const manage = find('manage_alert_integrations');
  const mayTest = findProject('send_test_alerts');
  const mayTestOne = find('send_test_alerts');

  const present = (actor: UserActor, { integration, sealedKey }: IntegrationWithKey, projectPath: string) => {
    const path = intakePath(integration);
    const shown = integration.active && path !== undefined;
    return {
      id: integration.id,
      name: integration.name,
      type: integration.type,
      active: integration.active,
      url: shown ? urls.alertIntake(projectPath, path) : null,
      token: shown && seesKeys(actor) ? alertIntegrations.reveal(sealedKey) : null,
      api_url: integration.apiUrl,
    };
  };
  const show = async (actor: UserActor, { project }: PermittedProject<ProjectPermission>, integrationId: number) => {
    const found = await integrationReader.find(project.id, integrationId);
    if (found === undefined) throw new NotFound('Integration');
    return present(actor, found, project.fullPath);
  };
  const test = (
    { project }: PermittedProject<ProjectPermission>,
    { integration }: IntegrationWithKey,
    payload: unknown,
  ) => takeByHand({ integration, projectPath: project.fullPath, text: payloadText(payload) });

  const addressOf = ({ integration: { id: integrationId, projectId } }: IntegrationWithKey, delivery: ListedDelivery) =>
    urls.api(`/projects/${projectId}/alert_integrations/${integrationId}/deliveries/${delivery.id}`);
  const oneDelivery = { ...one, delivery_id: pathId('Numeric id of the delivery') };
  const findDelivery = async (
    context: Context,
  ): Promise<Found<'manage_alert_integrations'> & { readonly delivery: ListedDelivery }> => {
    const subject = await manage(context);
    const number = context.path['delivery_id'] ?? '';
    const delivery = /^\d{1,15}$/.test(number)
      ? await integrationReader.findDelivery(subject.found.integration.id, Number(number))
      : undefined;
    if (delivery === undefined) throw new NotFound('Delivery');
    return { ...subject, delivery };
  };

  const list = route({
    method: 'get',
    path: BASE,
    operationId: 'listAlertIntegrations',
    summary: 'Ways by which a project takes alerts',
    tag: TAG,
    since: SINCE,
    access: 'user',
    parameters: pagedParameters({ id }),
    responses: { 200: Type.Array(IntegrationSchema) },
    guard: manageProject,
    handle: async ({ actor, subject: { project }, parameters: paging }) => {
      const request = readPageRequest(paging);
      const page = await integrationReader.list(project.id, request);
      return { body: page.items.map((each) => present(actor, each, project.fullPath)), page: { request, of: page } };
    },
  });

  const get = route({
    method: 'get',
    path: `${BASE}/:integration_id`,
    operationId: 'getAlertIntegration',
    summary: 'One integration',
    tag: TAG,
    since: SINCE,
    access: 'user',
    parameters: parameters(one),
    responses: { 200: IntegrationSchema },
    guard: manage,
    handle: ({ actor, subject: { project, found } }) =>
      Promise.resolve({ body: present(actor, found, project.fullPath) }),
  });

  const post = route({
    method: 'post',
    path: BASE,
    operationId: 'createAlertIntegration',
    summary: 'Add an integration',
    tag: TAG,
    since: SINCE,
    access: 'user',
    parameters: parameters({
      id,
      type: oneOf(INTEGRATION_TYPES),
      name: text(1_000),
      active: Type.Boolean({ default: true }),
      api_url: Type.Optional(nullable(text(1_000, 'Of a link'))),
      sample_payload: Type.Optional(payloadParameter),
      test: Type.Optional(Type.Boolean({ description: 'Send the sample payload at once' })),
    }),
    body: PAYLOAD_BODY,
    responses: {
      201: Type.Object({ ...IntegrationSchema.properties, test_result: Type.Optional(TouchedSchema) }),
    },
    guard: manageProject,
    handle: async ({ actor, subject, parameters: given }) => {
      const { type, name, active, api_url: apiUrl = null, sample_payload: sample, test: testNow } = given;
      if (sample !== undefined) checkPayload(payloadText(sample));
      const samplePayload = sample === undefined ? null : payloadText(sample);
      const { project } = subject;
      const created = await alertIntegrations.create(subject, { type, name, active, apiUrl, samplePayload });
      const tested: { test_result?: readonly TouchedAlert[] } = {};
      if (testNow === true && samplePayload !== null && active && type !== 'link') {
        const integration = { integration: created, projectPath: project.fullPath, text: samplePayload };
        tested.test_result = await takeByHand(integration);
      }
      return { status: 201, body: { ...(await show(actor, subject, created.id)), ...tested } };
    },
  });

  const put = route({
    method: 'put',
    path: `${BASE}/:integration_id`,
    operationId: 'editAlertIntegration',
    summary: 'Rename an integration, or switch it on or off',
    tag: TAG,
    since: SINCE,
    access: 'user',
    parameters: parameters({
      ...one,
      name: Type.Optional(text(1_000)),
      active: Type.Optional(Type.Boolean()),
      api_url: Type.Optional(nullable(text(1_000))),
    }),
    responses: { 200: IntegrationSchema },
    guard: manage,
    handle: async ({ actor, subject, parameters: { name, active, api_url: apiUrl } }) => {
      const { integration } = subject.found;
      await alertIntegrations.edit(subject, integration.id, {
        ...(name === undefined ? {} : { name }),
        ...(active === undefined ? {} : { active }),
        ...(apiUrl === undefined ? {} : { apiUrl }),
      });
      return { body: await show(actor, subject, integration.id) };
    },
  });

  const remove = route({
    method: 'delete',
    path: `${BASE}/:integration_id`,
    operationId: 'removeAlertIntegration',
    summary: 'Remove an integration; its alerts stay',
    tag: TAG,
    since: SINCE,
    access: 'user',
    parameters: parameters(one),
    responses: { 204: null },
    guard: manage,
    handle: async ({ subject }) => {
      await alertIntegrations.remove(subject, subject.found.integration.id);
      return { status: 204 };
    },
  });

  const resetToken = route({
    method: 'post',
    path: `${BASE}/:integration_id/reset_token`,
    operationId: 'resetAlertIntegrationToken',
    summary: 'Replace the Authorization Key; the old one is refused at once',
    tag: TAG,
    since: SINCE,
    access: 'user',
    parameters: parameters(one),
    responses: { 201: IntegrationSchema },
    guard: manage,
    handle: async ({ actor, subject }) => {
      await alertIntegrations.resetKey(subject, subject.found.integration.id);
      return { status: 201, body: await show(actor, subject, subject.found.integration.id) };
    },
  });

  const testFirst = route({
    method: 'post',
    path: `${BASE}/test`,
    operationId: 'testAlerts',
    summary: 'Send a test alert by the first active integration',
    tag: TAG,
    since: SINCE,
    access: 'user',
    parameters: parameters({ id, payload: payloadParameter }),
    body: PAYLOAD_BODY,
    responses: { 201: TouchedSchema },
    guard: mayTest,
    handle: async ({ subject, parameters: { payload } }) => {
      const { items } = await integrationReader.list(subject.project.id, FIRST);
      const first = items.find(({ integration: { active, type } }) => active && type !== 'link');
      if (first === undefined) throw new NotFound('Integration');
      return { status: 201, body: await test(subject, first, payload) };
    },
  });

  const testOne = route({
    method: 'post',
    path: `${BASE}/:integration_id/test`,
    operationId: 'testAlertIntegration',
    summary: 'Send a test alert by an integration',
    tag: TAG,
    since: SINCE,
    access: 'user',
    parameters: parameters({ ...one, payload: payloadParameter }),
    body: PAYLOAD_BODY,
    responses: { 201: TouchedSchema },
    guard: mayTestOne,
    handle: async ({ subject, parameters: { payload } }) => ({
      status: 201,
      body: await test(subject, subject.found, payload),
    }),
  });

  const listDeliveries = route({
    method: 'get',
    path: `${BASE}/:integration_id/deliveries`,
    operationId: 'listAlertDeliveries',
    summary: 'What was sent to an integration lately, and what became of it',
    description: 'A list carries 64 KB of payloads; those beyond are null, and `payload_url` leads to them.',
    tag: TAG,
    since: SINCE,
    access: 'user',
    parameters: pagedParameters(one),
    responses: { 200: Type.Array(DeliverySchema) },
    guard: manage,
    handle: async ({ subject: { found }, parameters: paging }) => {
      const request = readPageRequest(paging);
      const page = await integrationReader.deliveries(found.integration.id, request, LISTED_PAYLOADS);
      const items = page.items.map((each) => presentDelivery(each, addressOf(found, each)));
      return { body: items, page: { request, of: page } };
    },
  });

  const getDelivery = route({
    method: 'get',
    path: `${BASE}/:integration_id/deliveries/:delivery_id`,
    operationId: 'getAlertDelivery',
    summary: 'One request of the log, with its payload',
    tag: TAG,
    since: SINCE,
    access: 'user',
    parameters: parameters(oneDelivery),
    responses: { 200: DeliverySchema },
    guard: findDelivery,
    handle: ({ subject: { found, delivery } }) =>
      Promise.resolve({ body: presentDelivery(delivery, addressOf(found, delivery)) }),
  });

  const replay = route({
    method: 'post',
    path: `${BASE}/:integration_id/deliveries/:delivery_id/replay`,
    operationId: 'replayAlertDelivery',
    summary: 'Take a payload of the log once more',
    tag: TAG,
    since: SINCE,
    access: 'user',
    parameters: parameters(oneDelivery),
    responses: { 201: TouchedSchema },
    guard: findDelivery,
    handle: async ({ subject: { project, found, delivery } }) => {
      if (delivery.payload === null) throw new HttpError(400, 'The payload of that delivery is not kept any more.');
      const { integration } = found;
      const touched = await takeByHand({ integration, projectPath: project.fullPath, text: delivery.payload });
      return { status: 201, body: touched };
    },
  });

  return [list, testFirst, get, post, put, remove, resetToken, testOne, listDeliveries, getDelivery, replay];
};
