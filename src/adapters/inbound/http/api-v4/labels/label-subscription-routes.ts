import type { Route } from '../../route.js';
import { changeSubscription, SUBSCRIBE, UNSUBSCRIBE } from './change-subscription.js';
import { inLabel, LABEL, LABEL_IN_PATH, type LabelRoutesParts } from './label-routes.js';
import { presentProjectLabel, ProjectLabelSchema } from './label-schema.js';

type Parts = LabelRoutesParts;

const subscription = (parts: Parts, change: typeof SUBSCRIBE | typeof UNSUBSCRIBE, operationId: string): Route =>
  changeSubscription({
    ...change,
    path: LABEL,
    operationId,
    parameters: LABEL_IN_PATH,
    answer: ProjectLabelSchema,
    guard: inLabel(parts, 'read_labels'),
    change: (actor, subject, subscribed) => parts.labelSubscriptions.change(actor, subject, subject.label, subscribed),
    present: ({ label }, subscribed) => presentProjectLabel(label, subscribed),
  });

export const subscribeToLabel = (parts: Parts) => subscription(parts, SUBSCRIBE, 'subscribeToLabel');

export const unsubscribeFromLabel = (parts: Parts) => subscription(parts, UNSUBSCRIBE, 'unsubscribeFromLabel');

export const createLabelSubscriptionRoutes = (parts: Parts): readonly Route[] => [
  subscribeToLabel(parts),
  unsubscribeFromLabel(parts),
];
