import { Type } from '@sinclair/typebox';
import { userIdOf, type Actor } from '../../../../../application/shared/actor.js';
import type { IssueDetails } from '../../../../../application/planning/ports/planning-readers.js';
import { Unauthenticated } from '../../../../../domain/shared/domain-error.js';
import type { ProjectId } from '../../../../../domain/shared/identifiers.js';
import { given } from '../../kit/given.js';
import { inProject, PROJECT_ID } from '../../kit/guards.js';
import { orNotFound } from '../../kit/or-not-found.js';
import { routesOf } from '../../kit/routes-of.js';
import type { GuardContext, Route } from '../../route.js';
import { oneOf, pathId, text } from '../../validation/parameters.js';
import { findIssue, findIssueToChange, type IssueRoutesParts } from './find-issue.js';
import { FIELDS, fieldsIn, FILTERS, filtersIn, LABELS, names } from './issue-parameters.js';
import { IssueSchema, presentIssue } from './issue-schema.js';

export type { IssueRoutesParts } from './find-issue.js';

type Parts = IssueRoutesParts;

const ALL = '/projects/:id/issues';
const ONE = `${ALL}/:iid`;
const IN_PATH = { id: PROJECT_ID, iid: pathId('Number of the issue within the project') };
const MINE = ['created_by_me', 'assigned_to_me'] as const;

const { list, get, post, put, remove } = routesOf({ tag: 'Issues' });

const present = async ({ subscriptions, urls }: Parts, actor: Actor, issue: IssueDetails) => ({
  ...presentIssue(issue, urls),
  subscribed: actor.kind === 'user' && (await subscriptions.isSubscribed(actor, issue)),
});

const show = async (parts: Parts, actor: Actor, id: ProjectId, number: number) =>
  present(parts, actor, orNotFound(await parts.planningReader.findIssue(id, number, parts.access.viewer(actor))));

/** Who isn't signed in has no issues of their own. */
const refuseStrangersTheirOwn = async ({ actor, sent: { scope = MINE[0] } }: GuardContext): Promise<void> => {
  if (actor.kind === 'anonymous' && MINE.some((mine) => mine === scope)) throw new Unauthenticated();
};

export const listIssues = ({ access, planningReader, urls }: Parts) =>
  list('/issues', 'listIssues', {
    summary: 'Issues of all projects',
    access: 'anyone',
    parameters: { ...FILTERS, scope: oneOf([...MINE, 'all'], { default: MINE[0] }) },
    items: IssueSchema,
    guard: refuseStrangersTheirOwn,
    read: ({ actor, parameters: { scope, ...filters }, page }) => {
      const me = userIdOf(actor) ?? undefined;
      const mine = { created_by_me: { authorId: me }, assigned_to_me: { assigneeId: me }, all: {} }[scope];
      return planningReader.listIssues({ ...filtersIn(filters), ...given(mine), viewer: access.viewer(actor), page });
    },
    present: (issue) => presentIssue(issue, urls),
  });

export const listProjectIssues = ({ access, planningReader, urls }: Parts) =>
  list(ALL, 'listProjectIssues', {
    summary: 'Issues of a project',
    description: 'The old filter `iid` is ignored: use `iids`.',
    access: 'anyone',
    parameters: { id: PROJECT_ID, ...FILTERS },
    items: IssueSchema,
    guard: inProject(access, 'read_project'),
    read: ({ actor, subject: { project }, parameters: filters, page }) =>
      planningReader.listIssues({
        ...filtersIn(filters),
        projectId: project.id,
        viewer: access.viewer(actor),
        page,
      }),
    present: (issue) => presentIssue(issue, urls),
  });

export const getIssue = (parts: Parts) =>
  get(ONE, 'getIssue', {
    summary: 'One issue',
    access: 'anyone',
    parameters: IN_PATH,
    answer: IssueSchema,
    guard: findIssue(parts),
    handle: ({ actor, subject }) => present(parts, actor, subject.issue),
  });

export const createIssue = (parts: Parts) =>
  post(ALL, 'createIssue', {
    summary: 'Open an issue',
    access: 'user',
    parameters: {
      id: PROJECT_ID,
      title: text(1_000),
      issue_type: Type.Optional(oneOf(['issue', 'incident'])),
      ...FIELDS,
    },
    answer: IssueSchema,
    guard: inProject(parts.access, 'take_part'),
    handle: async ({ actor, subject, parameters: { title, issue_type: kind, ...fields } }) => {
      const { iid } = await parts.issues.open(actor, subject, { ...fieldsIn(fields), title, ...given({ kind }) });
      return show(parts, actor, subject.project.id, iid);
    },
  });

export const editIssue = (parts: Parts) =>
  put(ONE, 'editIssue', {
    summary: 'Change, close or reopen an issue',
    access: 'user',
    parameters: {
      ...IN_PATH,
      title: Type.Optional(text(1_000)),
      state_event: Type.Optional(oneOf(['close', 'reopen'])),
      add_labels: Type.Optional(LABELS),
      remove_labels: Type.Optional(LABELS),
      discussion_locked: Type.Optional(Type.Boolean({ description: 'Whether only members may comment (reporters)' })),
      ...FIELDS,
    },
    answer: IssueSchema,
    guard: findIssueToChange(parts),
    handle: async ({ actor, subject, parameters: { title, state_event: stateEvent, ...fields } }) => {
      const addLabels = fields.add_labels && names(fields.add_labels);
      const removeLabels = fields.remove_labels && names(fields.remove_labels);
      const changes = given({ title, stateEvent, addLabels, removeLabels, discussionLocked: fields.discussion_locked });
      await parts.issues.edit(actor, subject, { ...fieldsIn(fields), ...changes });
      return show(parts, actor, subject.issue.projectId, subject.issue.iid);
    },
  });

export const removeIssue = (parts: Parts) => {
  const find = findIssue(parts);
  return remove(ONE, 'removeIssue', {
    summary: 'Remove an issue (owners)',
    access: 'user',
    parameters: IN_PATH,
    guard: async (context) => {
      const visible = await find(context);
      return { visible, permitted: await parts.access.project(context.actor, context.path['id'], 'remove_issues') };
    },
    handle: ({ actor, subject: { visible, permitted } }) => parts.issues.remove(actor, permitted, visible),
  });
};

export const createIssueRoutes = (parts: Parts): readonly Route[] =>
  [listIssues, listProjectIssues, getIssue, createIssue, editIssue, removeIssue].map((make) => make(parts));
