import { route, type Route } from '../../route.js';
import { parameters, pathId } from '../../validation/parameters.js';
import { findIssue, type IssueRoutesParts } from './issue-routes.js';
import { IssueSchema, presentIssue } from './issue-schema.js';

export type SubscriptionRoutesParts = IssueRoutesParts;

export const createSubscriptionRoutes = (parts: SubscriptionRoutesParts): readonly Route[] => {
  const { issueSubscriptions, urls } = parts;

  const change = (verb: 'subscribe' | 'unsubscribe', summary: string): Route =>
    route({
      method: 'post',
      path: `/projects/:id/issues/:iid/${verb}`,
      operationId: `${verb}Issue`,
      summary,
      description: 'Whoever takes part in an issue is subscribed until he unsubscribes. 304 where it is so already.',
      tag: 'Issues',
      access: 'user',
      parameters: parameters({
        id: pathId('Number, or URL-encoded path of the project'),
        iid: pathId('Number of the issue within the project'),
      }),
      responses: { 201: IssueSchema, 304: null },
      guard: findIssue(parts),
      handle: async ({ actor, subject: { issue } }) => {
        const subscribed = verb === 'subscribe';
        if (!(await issueSubscriptions.change(actor, issue, subscribed))) return { status: 304 };
        return { status: 201, body: { ...presentIssue(issue, urls), subscribed } };
      },
    });

  return [
    change('subscribe', 'Be mailed about an issue'),
    change('unsubscribe', 'Be mailed about an issue no more, unless you are mentioned'),
  ];
};
