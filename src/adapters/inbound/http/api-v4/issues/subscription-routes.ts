import { PROJECT_ID } from '../../kit/guards.js';
import { route, type Route } from '../../route.js';
import { parameters, pathId } from '../../validation/parameters.js';
import { findIssue, type IssueRoutesParts } from './find-issue.js';
import { IssueSchema, presentIssue } from './issue-schema.js';

export type SubscriptionRoutesParts = IssueRoutesParts;

interface Change {
  readonly verb: 'subscribe' | 'unsubscribe';
  readonly summary: string;
  readonly subscribed: boolean;
}

const changeSubscription = (parts: SubscriptionRoutesParts, { verb, summary, subscribed }: Change): Route =>
  route({
    method: 'post',
    path: `/projects/:id/issues/:iid/${verb}`,
    operationId: `${verb}Issue`,
    summary,
    description: 'Whoever takes part in an issue is subscribed until he unsubscribes. 304 where it is so already.',
    tag: 'Issues',
    access: 'user',
    parameters: parameters({ id: PROJECT_ID, iid: pathId('Number of the issue within the project') }),
    responses: { 201: IssueSchema, 304: null },
    guard: findIssue(parts),
    handle: async ({ actor, subject: { issue } }) => {
      if (!(await parts.issueSubscriptions.change(actor, issue, subscribed))) return { status: 304 };
      return { status: 201, body: { ...presentIssue(issue, parts.urls), subscribed } };
    },
  });

export const subscribe = (parts: SubscriptionRoutesParts) =>
  changeSubscription(parts, { verb: 'subscribe', summary: 'Be mailed about an issue', subscribed: true });

export const unsubscribe = (parts: SubscriptionRoutesParts) =>
  changeSubscription(parts, {
    verb: 'unsubscribe',
    summary: 'Be mailed about an issue no more, unless you are mentioned',
    subscribed: false,
  });

export const createSubscriptionRoutes = (parts: SubscriptionRoutesParts): readonly Route[] => [
  subscribe(parts),
  unsubscribe(parts),
];
