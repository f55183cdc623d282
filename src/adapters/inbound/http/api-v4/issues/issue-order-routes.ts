import { Type } from '@sinclair/typebox';
import type { IssueOrder } from '../../../../../application/planning/issue-order.js';
import { given } from '../../kit/given.js';
import { PROJECT_ID } from '../../kit/guards.js';
import { naming, orNotFound } from '../../kit/or-not-found.js';
import { routesOf } from '../../kit/routes-of.js';
import type { GuardContext, Route } from '../../route.js';
import { identifier, pathId } from '../../validation/parameters.js';
import { findIssueToChange, type IssueRoutesParts } from './find-issue.js';
import { IssueSchema, presentOwnIssue } from './issue-schema.js';

export type IssueOrderRoutesParts = IssueRoutesParts & { readonly issueOrder: IssueOrder };
type Parts = IssueOrderRoutesParts;

const { put } = routesOf({ tag: 'Issues' });

const findToOrder = (parts: Parts) => async (context: GuardContext) => {
  const found = await naming('Issue', findIssueToChange(parts))(context);
  return { found, place: await parts.access.project(context.actor, context.path['id'], 'manage_boards') };
};

const reorderIssue = (parts: Parts) =>
  put('/projects/:id/issues/:iid/reorder', 'reorderIssue', {
    summary: 'Put an issue beside others of its project (reporters)',
    description:
      'Boards show them so, and lists with `order_by=relative_position`. Where both are named it comes right after the first of them.',
    access: 'user',
    parameters: {
      id: PROJECT_ID,
      iid: pathId('Number of the issue within the project'),
      move_after_id: Type.Optional(identifier('Id, not the number, of the issue that is to come after this one')),
      move_before_id: Type.Optional(identifier('Id, not the number, of the issue that is to come before this one')),
    },
    answer: IssueSchema,
    guard: findToOrder(parts),
    handle: async ({ actor, subject: { found, place }, parameters: { move_after_id, move_before_id } }) => {
      await parts.issueOrder.reorder(place, found, given({ before: move_before_id, after: move_after_id }));
      const { projectId, iid } = found.issue;
      const shown = await parts.planningReader.findIssue(projectId, iid, parts.access.viewer(actor));
      return presentOwnIssue(orNotFound(shown), parts.urls);
    },
  });

/** In which order the issues of a project stand. */
export const createIssueOrderRoutes = (parts: Parts): readonly Route[] => [reorderIssue(parts)];
