import { Type } from '@sinclair/typebox';
import type { Actor } from '../../../../../application/shared/actor.js';
import type { IssueMoves } from '../../../../../application/planning/issue-moves.js';
import { namedBy, PROJECT_ID } from '../../kit/guards.js';
import { naming, orNotFound } from '../../kit/or-not-found.js';
import { routesOf } from '../../kit/routes-of.js';
import type { GuardContext, Route } from '../../route.js';
import { pathId } from '../../validation/parameters.js';
import { findIssueToChange, type IssueRoutesParts } from './find-issue.js';
import { findMovable, permittedToMove } from './find-movable.js';
import { IssueSchema, presentOwnIssue } from './issue-schema.js';

export type IssueMoveRoutesParts = IssueRoutesParts & { readonly issueMoves: IssueMoves };
type Parts = IssueMoveRoutesParts;

const ONE = '/projects/:id/issues/:iid';
const IN_PATH = { id: PROJECT_ID, iid: pathId('Number of the issue within the project') };
const TO = { to_project_id: pathId('Number, or path of the other project') };

const { post } = routesOf({ tag: 'Issues' });

/** Both ends; without a second where nothing is named that could be one. */
const findEnds = (parts: Parts, verb: 'move' | 'clone') => async (context: GuardContext) => {
  const found = await naming('Issue', findIssueToChange(parts))(context);
  const movable = await findMovable(parts.access, context.actor, found, verb);
  const named = namedBy(context, 'to_project_id');
  return named === undefined
    ? { movable }
    : { movable, to: await permittedToMove(parts.access, context.actor, named, verb) };
};

const show = async (
  { access, planningReader, urls }: Parts,
  actor: Actor,
  projectId: Parameters<Parts['planningReader']['findIssue']>[0],
  iid: number,
) => presentOwnIssue(orNotFound(await planningReader.findIssue(projectId, iid, access.viewer(actor))), urls);

const moveIssue = (parts: Parts) =>
  post(`${ONE}/move`, 'moveIssue', {
    summary: 'Take an issue to another project (reporters of both)',
    description: 'The new one is answered. The old one is closed, and its `moved_to_id` leads to it.',
    access: 'user',
    parameters: { ...IN_PATH, ...TO },
    answer: IssueSchema,
    guard: findEnds(parts, 'move'),
    handle: async ({ actor, subject: { movable, to } }) => {
      const target = orNotFound(to, 'Project');
      return show(parts, actor, target.project.id, await parts.issueMoves.move(actor, movable, target));
    },
  });

const cloneIssue = (parts: Parts) =>
  post(`${ONE}/clone`, 'cloneIssue', {
    summary: 'Make another issue like one, in the same project or another (reporters of both)',
    access: 'user',
    parameters: {
      ...IN_PATH,
      ...TO,
      with_notes: Type.Boolean({ default: false, description: 'Whether its comments are copied, too' }),
    },
    answer: IssueSchema,
    guard: findEnds(parts, 'clone'),
    handle: async ({ actor, subject: { movable, to }, parameters: { with_notes: withNotes } }) => {
      const target = orNotFound(to, 'Project');
      return show(parts, actor, target.project.id, await parts.issueMoves.clone(actor, movable, target, withNotes));
    },
  });

export const createIssueMoveRoutes = (parts: Parts): readonly Route[] => [moveIssue(parts), cloneIssue(parts)];
