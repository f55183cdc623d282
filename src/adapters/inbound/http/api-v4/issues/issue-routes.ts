import { Type } from '@sinclair/typebox';
import type { Actor } from '../../../../../application/shared/actor.js';
import type { IssueDetails, IssueQuery } from '../../../../../application/planning/ports/planning-readers.js';
import { identifierIn, type ProjectId } from '../../../../../domain/shared/identifiers.js';
import { given } from '../../kit/given.js';
import { GROUP_ID, inGroup, inProject, PROJECT_ID } from '../../kit/guards.js';
import { orNotFound } from '../../kit/or-not-found.js';
import { routesOf } from '../../kit/routes-of.js';
import { pageOfList } from '../../pagination/page-of-list.js';
import type { Route } from '../../route.js';
import { instantOrDay, oneOf, pathId, text, timeIn } from '../../validation/parameters.js';
import { refuseStrangersTheirOwn, scoped, SCOPES } from '../collaboration/scopes.js';
import { names } from '../collaboration/subject-filters.js';
import { withLabelDetails, WITH_LABELS_DETAILS } from '../labels/label-details.js';
import { distinctPeople } from '../users/distinct-people.js';
import { presentPerson } from '../users/present-user.js';
import { BasicUserSchema } from '../users/user-schema.js';
import { findIssue, findIssueToChange, type IssueRoutesParts } from './find-issue.js';
import { FIELDS, fieldsIn, FILTERS, filtersIn, LABELS } from './issue-parameters.js';
import { IssueSchema, presentIssue, presentOwnIssue } from './issue-schema.js';

export type { IssueRoutesParts } from './find-issue.js';

type Parts = IssueRoutesParts;

const ALL = '/projects/:id/issues';
const ONE = `${ALL}/:iid`;
const IN_PATH = { id: PROJECT_ID, iid: pathId('Number of the issue within the project') };
const LIVELY = Type.Boolean({ default: true, description: 'Leaves out archived projects' });

const LISTED = { ...FILTERS, with_labels_details: WITH_LABELS_DETAILS };

const { list, get, post, put, remove } = routesOf({ tag: 'Issues' });

const present = async ({ subscriptions, urls }: Parts, actor: Actor, issue: IssueDetails) => ({
  ...presentOwnIssue(issue, urls),
  subscribed: actor.kind === 'user' && (await subscriptions.isSubscribed(actor, issue)),
});

const show = async (parts: Parts, actor: Actor, id: ProjectId, number: number) =>
  present(parts, actor, orNotFound(await parts.planningReader.findIssue(id, number, parts.access.viewer(actor))));

const shown = async (
  { access, planningReader }: Parts,
  actor: Actor,
  detailed: boolean,
  query: Omit<IssueQuery, 'viewer'>,
) =>
  withLabelDetails(
    planningReader,
    detailed,
    await planningReader.listIssues({ ...query, viewer: access.viewer(actor) }),
  );

export const listIssues = (parts: Parts) =>
  list('/issues', 'listIssues', {
    summary: 'Issues of all projects',
    access: 'anyone',
    parameters: { ...LISTED, scope: oneOf(SCOPES, { default: 'created_by_me' }) },
    items: IssueSchema,
    guard: refuseStrangersTheirOwn,
    read: ({ actor, parameters: { scope, ...sent }, page }) =>
      shown(parts, actor, sent.with_labels_details, {
        ...filtersIn(sent, parts.access.viewer(actor).today),
        ...scoped(actor, scope),
        page,
      }),
    present: (issue) => presentIssue(issue, parts.urls),
  });

export const listGroupIssues = (parts: Parts) =>
  list('/groups/:id/issues', 'listGroupIssues', {
    summary: 'Issues of the projects of a group, and of everything below it',
    access: 'anyone',
    parameters: { id: GROUP_ID, ...LISTED, scope: oneOf(SCOPES, { default: 'all' }), non_archived: LIVELY },
    items: IssueSchema,
    guard: inGroup(parts.access, 'read_group'),
    read: ({ actor, subject: { group }, parameters: { scope, non_archived: lively, ...sent }, page }) => {
      const within = { within: group.id, ...(lively ? { archived: false } : {}) };
      const filters = filtersIn(sent, parts.access.viewer(actor).today);
      return shown(parts, actor, sent.with_labels_details, { ...filters, ...within, ...scoped(actor, scope), page });
    },
    present: (issue, { subject: { group } }) => presentIssue(issue, parts.urls, { group: group.fullPath }),
  });

export const listProjectIssues = (parts: Parts) =>
  list(ALL, 'listProjectIssues', {
    summary: 'Issues of a project',
    description: 'The old filter `iid` is ignored: use `iids`.',
    access: 'anyone',
    parameters: { id: PROJECT_ID, ...LISTED, scope: oneOf(SCOPES, { default: 'all' }) },
    items: IssueSchema,
    guard: inProject(parts.access, 'read_issues'),
    read: ({ actor, subject: { project }, parameters: { scope, ...sent }, page }) => {
      const filters = filtersIn(sent, parts.access.viewer(actor).today);
      return shown(parts, actor, sent.with_labels_details, {
        ...filters,
        projectId: project.id,
        ...scoped(actor, scope),
        page,
      });
    },
    present: (issue) => presentOwnIssue(issue, parts.urls),
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

/** By its own id, whatever project it is in. */
export const getIssueById = (parts: Parts) =>
  get('/issues/:id', 'getIssueById', {
    summary: 'One issue, by the id that is its own among all of them (administrators)',
    access: 'admin',
    parameters: { id: pathId('Id of the issue, not its number within the project') },
    answer: IssueSchema,
    guard: async ({ actor, path }) => {
      const id = orNotFound(identifierIn(path['id']));
      const [issue] = await parts.planningReader.findIssues([id], parts.access.viewer(actor));
      return orNotFound(issue);
    },
    handle: ({ actor, subject }) => present(parts, actor, subject),
  });

export const listIssueParticipants = (parts: Parts) =>
  list(`${ONE}/participants`, 'listIssueParticipants', {
    summary: 'Who takes part in an issue: its author, its assignees, and whoever commented on it or is mentioned there',
    access: 'anyone',
    parameters: IN_PATH,
    items: BasicUserSchema,
    guard: findIssue(parts),
    read: async ({ actor, subject: { issue }, page }) => {
      const viewer = parts.access.viewer(actor);
      const details = orNotFound(await parts.planningReader.findIssue(issue.projectId, issue.iid, viewer));
      const { author, assignees } = details;
      const others = await parts.planningReader.inDiscussion(issue.id);
      return pageOfList(distinctPeople([author, ...assignees, ...others]), page);
    },
    present: (person) => presentPerson(person, parts.urls),
  });

export const createIssue = (parts: Parts) =>
  post(ALL, 'createIssue', {
    summary: 'Open an issue',
    access: 'user',
    parameters: {
      id: PROJECT_ID,
      title: text(1_000),
      issue_type: Type.Optional(oneOf(['issue', 'incident'])),
      created_at: Type.Optional(
        instantOrDay('When it was opened, from 1970 on (owners and administrators; of others ignored)'),
      ),
      ...FIELDS,
    },
    answer: IssueSchema,
    guard: inProject(parts.access, 'write_issues'),
    handle: async ({ actor, subject, parameters: { title, issue_type: kind, created_at: sent, ...fields } }) => {
      const more = given({ kind, createdAt: timeIn(sent) });
      const { iid } = await parts.issues.open(actor, subject, { ...fieldsIn(fields), title, ...more });
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
      updated_at: Type.Optional(
        instantOrDay('When it was changed last, from 1970 on (owners and administrators; of others ignored)'),
      ),
      ...FIELDS,
    },
    answer: IssueSchema,
    guard: findIssueToChange(parts),
    handle: async ({ actor, subject, parameters: { title, state_event: stateEvent, ...fields } }) => {
      const addLabels = fields.add_labels && names(fields.add_labels);
      const removeLabels = fields.remove_labels && names(fields.remove_labels);
      const changes = given({ title, stateEvent, addLabels, removeLabels, discussionLocked: fields.discussion_locked });
      const updatedAt = given({ updatedAt: timeIn(fields.updated_at) });
      await parts.issues.edit(actor, subject, { ...fieldsIn(fields), ...changes, ...updatedAt });
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
    lastChanged: ({ visible }) => visible.issue.updatedAt,
    handle: ({ actor, subject: { visible, permitted } }) => parts.issues.remove(actor, permitted, visible),
  });
};

export const createIssueRoutes = (parts: Parts): readonly Route[] =>
  [
    ...[listIssues, listGroupIssues, listProjectIssues, listIssueParticipants],
    ...[getIssue, getIssueById, createIssue, editIssue, removeIssue],
  ].map((make) => make(parts));
