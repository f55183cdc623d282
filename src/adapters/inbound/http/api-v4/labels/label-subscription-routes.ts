import { route, type Route } from '../../route.js';
import { parameters } from '../../validation/parameters.js';
import { inLabel, LABEL, LABEL_IN_PATH, type LabelRoutesParts } from './label-routes.js';
import { presentProjectLabel, ProjectLabelSchema } from './label-schema.js';

type Parts = LabelRoutesParts;

interface Change {
  readonly verb: 'subscribe' | 'unsubscribe';
  readonly operationId: string;
  readonly summary: string;
  readonly subscribed: boolean;
}

const changeSubscription = (parts: Parts, { verb, operationId, summary, subscribed }: Change): Route =>
  route({
    method: 'post',
    path: `${LABEL}/${verb}`,
    operationId,
    summary,
    description:
      'You are mailed when an issue or merge request that you may read gets the label. 304 where it is so already.',
    tag: 'Subscriptions',
    access: 'user',
    parameters: parameters(LABEL_IN_PATH),
    responses: { 201: ProjectLabelSchema, 304: null },
    guard: inLabel(parts, 'read_project'),
    handle: async ({ actor, subject }) =>
      (await parts.labelSubscriptions.change(actor, subject, subject.label, subscribed))
        ? { status: 201, body: presentProjectLabel(subject.label, subscribed) }
        : { status: 304 },
  });

export const subscribeToLabel = (parts: Parts) =>
  changeSubscription(parts, {
    verb: 'subscribe',
    operationId: 'subscribeToLabel',
    summary: 'Be mailed about what gets a label',
    subscribed: true,
  });

export const unsubscribeFromLabel = (parts: Parts) =>
  changeSubscription(parts, {
    verb: 'unsubscribe',
    operationId: 'unsubscribeFromLabel',
    summary: 'Be mailed about what gets a label no more',
    subscribed: false,
  });

export const createLabelSubscriptionRoutes = (parts: Parts): readonly Route[] => [
  subscribeToLabel(parts),
  unsubscribeFromLabel(parts),
];
