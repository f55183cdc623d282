import type { Subscriptions } from '../../../../../application/collaboration/subscriptions.js';
import { orNotFound } from '../../kit/or-not-found.js';
import { route, type Route } from '../../route.js';
import { parameters } from '../../validation/parameters.js';
import { findSubject, parametersOf, pathOf, type SubjectOfApi, type SubjectRoutesParts } from './subject-of-api.js';

export type SubscriptionRoutesParts = SubjectRoutesParts & { readonly subscriptions: Subscriptions };

type Parts = SubscriptionRoutesParts;

interface Change {
  readonly verb: 'subscribe' | 'unsubscribe';
  readonly summary: string;
  readonly subscribed: boolean;
}

const changeSubscription = (parts: Parts, of: SubjectOfApi, { verb, summary, subscribed }: Change): Route =>
  route({
    method: 'post',
    path: `${pathOf(of)}/${verb}`,
    operationId: `${verb}${of.name}`,
    summary,
    description: `Whoever takes part in ${of.words} is subscribed until they unsubscribe. 304 where it is so already.`,
    tag: 'Subscriptions',
    access: 'user',
    parameters: parameters(parametersOf(of)),
    responses: { 201: of.schema, 304: null },
    guard: findSubject(parts, of),
    handle: async ({ actor, subject: { subject } }) => {
      if (!(await parts.subscriptions.change(actor, subject, subscribed))) return { status: 304 };
      const shown = await of.present([subject], parts.access.viewer(actor));
      return { status: 201, body: { ...orNotFound(shown.get(subject.id)), subscribed } };
    },
  });

export const subscribe = (parts: Parts, of: SubjectOfApi) =>
  changeSubscription(parts, of, { verb: 'subscribe', summary: `Be mailed about ${of.words}`, subscribed: true });

export const unsubscribe = (parts: Parts, of: SubjectOfApi) =>
  changeSubscription(parts, of, {
    verb: 'unsubscribe',
    summary: `Be mailed about ${of.words} no more, unless you are mentioned`,
    subscribed: false,
  });

export const createSubscriptionRoutes = (parts: Parts, of: SubjectOfApi): readonly Route[] => [
  subscribe(parts, of),
  unsubscribe(parts, of),
];
