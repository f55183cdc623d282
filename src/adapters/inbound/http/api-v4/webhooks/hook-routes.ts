import { Type } from '@sinclair/typebox';
import type { WebhookChanges } from '../../../../../application/webhooks/webhooks.js';
import { Invalid, NotFound } from '../../../../../domain/shared/domain-error.js';
import { identifierIn } from '../../../../../domain/shared/identifiers.js';
import {
  DELIVERED_EVENTS,
  MAX_BRANCH_FILTER,
  MAX_WEBHOOK_TOKEN,
  WEBHOOK_EVENTS,
  type Webhook,
} from '../../../../../domain/webhooks/webhook.js';
import { HttpError } from '../../http-error.js';
import { given } from '../../kit/given.js';
import { inProject, PROJECT_ID } from '../../kit/guards.js';
import { pagedList } from '../../kit/paged-list.js';
import { route, type Route } from '../../route.js';
import { nullable, oneOf, parameters, pathId, text } from '../../validation/parameters.js';
import type { ParametersOf } from '../../validation/parameters.js';
import { headerIn, SENT_HEADERS } from './sent-headers.js';
import { createHookHeaderRoutes } from './hook-header-routes.js';
import { ALL_HOOKS, HOOKS_TAG, IN_HOOK_PATH, inHook, ONE_HOOK, type HookRoutesParts } from './hook-parts.js';
import { DeliverySchema, HookSchema, presentDelivery, presentHook } from './hook-schema.js';

type Parts = HookRoutesParts;

const DELIVERIES = `${ONE_HOOK}/events`;
const MAX_URL = 2_000;

const flag = () => Type.Optional(Type.Boolean({ description: 'Whether it hears of this' }));
const FIELDS = {
  push_events: flag(),
  tag_push_events: flag(),
  issues_events: flag(),
  confidential_issues_events: flag(),
  note_events: flag(),
  confidential_note_events: flag(),
  merge_requests_events: flag(),
  job_events: flag(),
  pipeline_events: flag(),
  wiki_page_events: flag(),
  deployment_events: flag(),
  releases_events: flag(),
  repository_update_events: flag(),
  enable_ssl_verification: Type.Optional(
    Type.Boolean({ description: 'Whether the certificate of the receiver must be good' }),
  ),
  push_events_branch_filter: Type.Optional(
    nullable(text(MAX_BRANCH_FILTER, 'Only pushes to these branches; `*` stands for any text')),
  ),
  branch_filter_strategy: Type.Optional(
    oneOf(['wildcard', 'all_branches'], { description: '`all_branches` takes the filter away' }),
  ),
  custom_headers: Type.Optional(SENT_HEADERS),
  token: Type.Optional(
    nullable(text(MAX_WEBHOOK_TOKEN, 'Sent as `X-Gitlab-Token`, and never answered', { writeOnly: true })),
  ),
};

const changesOf = (sent: ParametersOf<typeof FIELDS>): WebhookChanges => {
  const events = Object.fromEntries(
    WEBHOOK_EVENTS.flatMap((event) => (sent[event] === undefined ? [] : [[event, sent[event]]])),
  );
  return given({
    events,
    token: sent.token,
    headers: sent.custom_headers?.map(headerIn),
    branchFilter: sent.branch_filter_strategy === 'all_branches' ? null : sent.push_events_branch_filter,
    verifyCertificate: sent.enable_ssl_verification,
  });
};

/** What is wrong with an address, in the status and the words that clients know. */
const keepingUrls = async <Result>(work: Promise<Result>): Promise<Result> => {
  try {
    return await work;
  } catch (error) {
    const reasons = error instanceof Invalid ? error.problems['url'] : undefined;
    if (reasons === undefined) throw error;
    throw new HttpError(422, 'Invalid url given', { reason: `url ${reasons.join(', ')}` });
  }
};

const show = async ({ webhookReader }: Parts, { projectId, id }: Pick<Webhook, 'projectId' | 'id'>) => {
  const webhook = await webhookReader.find(projectId, id);
  if (webhook === undefined) throw new NotFound();
  return presentHook(webhook);
};

const listHooks = ({ access, webhookReader }: Parts) =>
  pagedList({
    path: ALL_HOOKS,
    operationId: 'listProjectHooks',
    summary: 'Webhooks of a project',
    tag: HOOKS_TAG,
    access: 'user',
    parameters: { id: PROJECT_ID },
    items: HookSchema,
    guard: inProject(access, 'manage_webhooks'),
    read: ({ subject: { project }, page }) => webhookReader.list(project.id, page),
    present: (webhook) => presentHook(webhook),
  });

const getHook = (parts: Parts) =>
  route({
    method: 'get',
    path: ONE_HOOK,
    operationId: 'getProjectHook',
    summary: 'One webhook',
    tag: HOOKS_TAG,
    access: 'user',
    parameters: parameters(IN_HOOK_PATH),
    responses: { 200: HookSchema },
    guard: inHook(parts),
    handle: ({ subject: { webhook } }) => Promise.resolve({ body: presentHook(webhook) }),
  });

const addHook = (parts: Parts) =>
  route({
    method: 'post',
    path: ALL_HOOKS,
    operationId: 'addProjectHook',
    summary: 'Add a webhook',
    description:
      'It hears of pushes unless `push_events` says otherwise. 422 for an address that nothing can be sent to, and for more than 100 webhooks.',
    tag: HOOKS_TAG,
    access: 'user',
    parameters: parameters({ id: PROJECT_ID, url: text(MAX_URL, 'Where to send to'), ...FIELDS }),
    responses: { 201: HookSchema },
    guard: inProject(parts.access, 'manage_webhooks'),
    handle: async ({ subject, parameters: { url, ...fields } }) => {
      const id = await keepingUrls(parts.webhooks.add(subject, { url, ...changesOf(fields) }));
      return { status: 201, body: await show(parts, { projectId: subject.project.id, id }) };
    },
  });

const editHook = (parts: Parts) =>
  route({
    method: 'put',
    path: ONE_HOOK,
    operationId: 'editProjectHook',
    summary: 'Change a webhook; one that was disabled works again',
    description: 'With another `url` its token and its `custom_headers` go, unless they are sent along.',
    tag: HOOKS_TAG,
    access: 'user',
    parameters: parameters({ ...IN_HOOK_PATH, url: Type.Optional(text(MAX_URL, 'Where to send to')), ...FIELDS }),
    responses: { 200: HookSchema },
    guard: inHook(parts),
    handle: async ({ subject: { manager, webhook }, parameters: { url, ...fields } }) => {
      await keepingUrls(parts.webhooks.edit(manager, webhook, { ...given({ url }), ...changesOf(fields) }));
      return { body: await show(parts, webhook) };
    },
  });

const removeHook = (parts: Parts) =>
  route({
    method: 'delete',
    path: ONE_HOOK,
    operationId: 'removeProjectHook',
    summary: 'Remove a webhook and the log of its deliveries',
    tag: HOOKS_TAG,
    access: 'user',
    parameters: parameters(IN_HOOK_PATH),
    responses: { 204: null },
    guard: inHook(parts),
    handle: async ({ subject: { manager, webhook } }) => {
      await parts.webhooks.remove(manager, webhook);
      return { status: 204 };
    },
  });

const testHook = (parts: Parts) =>
  route({
    method: 'post',
    path: `${ONE_HOOK}/test/:trigger`,
    operationId: 'testProjectHook',
    summary: 'Send a made-up event now',
    description: '422 where the receiver did not take it; the log of deliveries says why.',
    tag: HOOKS_TAG,
    access: 'user',
    parameters: parameters({ ...IN_HOOK_PATH, trigger: oneOf(DELIVERED_EVENTS) }),
    responses: { 201: Type.Object({ message: Type.String() }) },
    guard: inHook(parts),
    handle: async ({ actor, subject: { manager, webhook }, parameters: { trigger } }) => {
      const status = await parts.webhooks.test(actor, manager, webhook, trigger);
      if (status === null || status < 200 || status > 299)
        throw new HttpError(422, `The receiver did not take it${status === null ? '' : `: it answered ${status}`}.`);
      return { status: 201, body: { message: '201 Created' } };
    },
  });

const listDeliveries = (parts: Parts) =>
  pagedList({
    path: DELIVERIES,
    operationId: 'listHookDeliveries',
    summary: 'Deliveries of the last seven days, the newest first',
    tag: HOOKS_TAG,
    access: 'user',
    parameters: IN_HOOK_PATH,
    items: DeliverySchema,
    guard: inHook(parts),
    read: ({ subject: { webhook }, page }) => parts.webhookReader.deliveries(webhook.id, page),
    present: (delivery, { subject: { webhook } }) => presentDelivery(webhook, delivery),
  });

const resendDelivery = (parts: Parts) =>
  route({
    method: 'post',
    path: `${DELIVERIES}/:hook_event_id/resend`,
    operationId: 'resendHookDelivery',
    summary: 'Send once more what was sent',
    tag: HOOKS_TAG,
    access: 'user',
    parameters: parameters({ ...IN_HOOK_PATH, hook_event_id: pathId('Numeric id of the delivery') }),
    responses: { 201: Type.Object({ response_status: nullable(Type.Integer()) }) },
    guard: async (context) => {
      const { manager, webhook } = await inHook(parts).decide(context);
      const id = identifierIn(context.path['hook_event_id']);
      const delivery = id === undefined ? undefined : await parts.webhookReader.findDelivery(webhook.id, id);
      if (delivery === undefined) throw new NotFound();
      return { manager, delivery };
    },
    handle: async ({ subject: { manager, delivery } }) => ({
      status: 201,
      body: { response_status: await parts.webhooks.resend(manager, delivery.id) },
    }),
  });

export const createHookRoutes = (parts: Parts): readonly Route[] =>
  [listHooks, getHook, addHook, editHook, removeHook, testHook, listDeliveries, resendDelivery]
    .map((make) => make(parts))
    .concat(createHookHeaderRoutes(parts));
