import type { ProjectId, UserId } from '../../../../../domain/shared/identifiers.js';
import { Type } from '@sinclair/typebox';
import type { IssueSubscriptions } from '../../../../../application/notifications/issue-subscriptions.js';
import type { ChangeableIssue, Issues, VisibleIssue } from '../../../../../application/planning/issues.js';
import type {
  IssueDetails,
  IssueQuery,
  PlanningReader,
} from '../../../../../application/planning/ports/planning-readers.js';
import type { WorkspaceAccess } from '../../../../../application/workspace/workspace-access.js';
import { userIdOf, type Actor } from '../../../../../application/shared/actor.js';
import { MAX_TEXT } from '../../../../../domain/planning/issue.js';
import { NotFound, Unauthenticated } from '../../../../../domain/shared/domain-error.js';
import { mapBatches } from '../../../../../application/shared/page-in-batches.js';
import { readPageRequest } from '../../pagination/page-headers.js';
import { route, type PathParameters, type Route } from '../../route.js';
import {
  clearableDay,
  clearableIdentifier,
  identifier,
  identifierOrNone,
  listOf,
  oneOf,
  pagedParameters,
  parameters,
  pathId,
  text,
} from '../../validation/parameters.js';
import type { WebUrls } from '../../web-urls.js';
import { IssueSchema, presentIssue } from './issue-schema.js';

export interface IssueRoutesParts {
  readonly access: WorkspaceAccess;
  readonly issues: Issues;
  readonly planningReader: PlanningReader;
  readonly issueSubscriptions: IssueSubscriptions;
  readonly urls: WebUrls;
}

const TAG = 'Issues';
const BASE = '/projects/:id/issues';

const LIST = {
  state: oneOf(['opened', 'closed', 'all'], { default: 'all' }),
  labels: Type.Optional(
    listOf(text(255), { description: 'Separated by commas: issues that have all of them; or None, or Any' }),
  ),
  milestone: Type.Optional(text(255, 'Title of the milestone; or None, or Any')),
  iids: Type.Optional(listOf(identifier(), { description: 'Numbers within the project' })),
  author_id: Type.Optional(identifier<UserId>()),
  assignee_id: Type.Optional(identifier<UserId>()),
  search: Type.Optional(text(255, 'Part of title or description')),
  confidential: Type.Optional(Type.Boolean()),
  issue_type: Type.Optional(oneOf(['issue', 'incident'])),
  order_by: oneOf(['created_at', 'updated_at'], { default: 'created_at' }),
  sort: oneOf(['asc', 'desc'], { default: 'desc' }),
};

const FIELDS = {
  description: Type.Optional(text(MAX_TEXT)),
  confidential: Type.Optional(Type.Boolean()),
  due_date: Type.Optional(clearableDay()),
  milestone_id: Type.Optional(clearableIdentifier('Id of a milestone of the project; 0, or empty, takes it away')),
  labels: Type.Optional(listOf(text(255), { description: 'Separated by commas' })),
  assignee_ids: Type.Optional(listOf(identifierOrNone<UserId>())),
  assignee_id: Type.Optional(identifierOrNone<UserId>()),
};

interface Given {
  readonly description?: string;
  readonly confidential?: boolean;
  readonly due_date?: string | null;
  readonly milestone_id?: number | '' | null;
  readonly labels?: readonly string[];
  readonly assignee_ids?: readonly UserId[];
  readonly assignee_id?: UserId;
}

// No label has a comma in its name, so a comma parts names inside JSON arrays too.
const names = (labels: readonly string[]): readonly string[] => [
  ...new Set(labels.flatMap((label) => label.split(',').map((name) => name.trim())).filter((name) => name !== '')),
];

/** What a form or JSON says of an issue; an assignee of 0 is nobody. */
const readFields = (given: Given) => {
  const { description, confidential, due_date, milestone_id, labels, assignee_ids, assignee_id } = given;
  const assignees = assignee_ids ?? (assignee_id === undefined ? undefined : [assignee_id]);
  return {
    ...(description === undefined ? {} : { description }),
    ...(confidential === undefined ? {} : { confidential }),
    ...(due_date === undefined ? {} : { dueDate: due_date === '' ? null : due_date }),
    ...(milestone_id === undefined
      ? {}
      : { milestoneId: milestone_id === '' || milestone_id === 0 ? null : milestone_id }),
    ...(labels === undefined ? {} : { labels: names(labels) }),
    ...(assignees === undefined ? {} : { assigneeIds: assignees.filter((id) => id > 0) }),
  };
};

interface Filters {
  readonly state: 'opened' | 'closed' | 'all';
  readonly labels?: readonly string[];
  readonly milestone?: string;
  readonly iids?: readonly number[];
  readonly author_id?: UserId;
  readonly assignee_id?: UserId;
  readonly search?: string;
  readonly confidential?: boolean;
  readonly issue_type?: 'issue' | 'incident';
  readonly order_by: 'created_at' | 'updated_at';
  readonly sort: 'asc' | 'desc';
}

const readLabels = (labels: readonly string[]): Pick<IssueQuery, 'labels' | 'labelled'> => {
  const wanted = names(labels);
  if (wanted.length === 1 && wanted[0] === 'None') return { labelled: false };
  return wanted.length === 1 && wanted[0] === 'Any' ? { labelled: true } : { labels: wanted };
};

const readMilestone = (milestone: string): Pick<IssueQuery, 'milestoneTitle' | 'planned'> => {
  if (milestone === 'None') return { planned: false };
  return milestone === 'Any' ? { planned: true } : { milestoneTitle: milestone };
};

const readFilters = (given: Filters): Omit<IssueQuery, 'viewer' | 'page'> => ({
  ...(given.state === 'all' ? {} : { state: given.state }),
  ...(given.labels === undefined ? {} : readLabels(given.labels)),
  ...(given.milestone === undefined ? {} : readMilestone(given.milestone)),
  ...(given.iids === undefined ? {} : { iids: given.iids }),
  ...(given.author_id === undefined ? {} : { authorId: given.author_id }),
  ...(given.assignee_id === undefined ? {} : { assigneeId: given.assignee_id }),
  ...(given.search === undefined ? {} : { search: given.search }),
  ...(given.confidential === undefined ? {} : { confidential: given.confidential }),
  ...(given.issue_type === undefined ? {} : { kind: given.issue_type }),
  orderBy: given.order_by,
  sort: given.sort,
});

interface Context {
  readonly actor: Actor;
  readonly path: PathParameters;
}

const iidIn = ({ iid = '' }: PathParameters): number => {
  if (!/^\d{1,15}$/.test(iid)) throw new NotFound();
  return Number(iid);
};

/** Finds the issue that a path names, as far as the caller may see it. */
export const findIssue =
  ({ access, issues }: Pick<IssueRoutesParts, 'access' | 'issues'>) =>
  async ({ actor, path }: Context): Promise<VisibleIssue> => {
    const place = await access.project(actor, path['id'], 'read_project');
    return issues.find(actor, place, iidIn(path));
  };

/** The same, for callers who are about to change it or comment on it. */
export const findIssueToChange =
  ({ access, issues }: Pick<IssueRoutesParts, 'access' | 'issues'>) =>
  async ({ actor, path }: Context): Promise<ChangeableIssue> => {
    const place = await access.project(actor, path['id'], 'take_part');
    return issues.findToChange(actor, place, iidIn(path));
  };

export const createIssueRoutes = (parts: IssueRoutesParts): readonly Route[] => {
  const { access, issues, planningReader, issueSubscriptions, urls } = parts;
  const projectId = pathId('Number, or URL-encoded path of the project');
  const iid = pathId('Number of the issue within the project');
  const find = findIssue(parts);
  const presentOne = async (actor: Actor, issue: IssueDetails) => ({
    ...presentIssue(issue, urls),
    subscribed: actor.kind === 'user' && (await issueSubscriptions.isSubscribed(actor, issue)),
  });
  const show = async (actor: Actor, id: ProjectId, number: number) => {
    const issue = await planningReader.findIssue(id, number);
    if (issue === undefined) throw new NotFound();
    return presentOne(actor, issue);
  };

  const listAll = route({
    method: 'get',
    path: '/issues',
    operationId: 'listIssues',
    summary: 'Issues of all projects',
    tag: TAG,
    access: 'anyone',
    parameters: pagedParameters({
      ...LIST,
      scope: oneOf(['created_by_me', 'assigned_to_me', 'all'], { default: 'created_by_me' }),
    }),
    responses: { 200: Type.Array(IssueSchema) },
    handle: async ({ actor, parameters: { scope, ...given } }) => {
      const me = userIdOf(actor);
      if (me === null && scope !== 'all') throw new Unauthenticated();
      const mine = me === null ? {} : scope === 'created_by_me' ? { authorId: me } : { assigneeId: me };
      const page = readPageRequest(given);
      const viewer = access.viewer(actor);
      const found = await planningReader.listIssues({
        ...readFilters(given),
        ...(scope === 'all' ? {} : mine),
        viewer,
        page,
      });
      return {
        batches: mapBatches(found.batches, (issue) => presentIssue(issue, urls)),
        page: { request: page, of: found },
      };
    },
  });

  const listOfProject = route({
    method: 'get',
    path: BASE,
    operationId: 'listProjectIssues',
    summary: 'Issues of a project',
    description: 'The old filter `iid` is ignored: use `iids`.',
    tag: TAG,
    access: 'anyone',
    parameters: pagedParameters({ id: projectId, ...LIST }),
    responses: { 200: Type.Array(IssueSchema) },
    guard: ({ actor, path }) => access.project(actor, path['id'], 'read_project'),
    handle: async ({ actor, subject: { project }, parameters: given }) => {
      const page = readPageRequest(given);
      const viewer = access.viewer(actor);
      const found = await planningReader.listIssues({ ...readFilters(given), projectId: project.id, viewer, page });
      return {
        batches: mapBatches(found.batches, (issue) => presentIssue(issue, urls)),
        page: { request: page, of: found },
      };
    },
  });

  const getIssue = route({
    method: 'get',
    path: `${BASE}/:iid`,
    operationId: 'getIssue',
    summary: 'One issue',
    tag: TAG,
    access: 'anyone',
    parameters: parameters({ id: projectId, iid }),
    responses: { 200: IssueSchema },
    guard: find,
    handle: async ({ actor, subject }) => ({ body: await presentOne(actor, subject.issue) }),
  });

  const postIssue = route({
    method: 'post',
    path: BASE,
    operationId: 'createIssue',
    summary: 'Open an issue',
    tag: TAG,
    access: 'user',
    parameters: parameters({
      id: projectId,
      title: text(1_000),
      issue_type: Type.Optional(oneOf(['issue', 'incident'])),
      ...FIELDS,
    }),
    responses: { 201: IssueSchema },
    guard: ({ actor, path }) => access.project(actor, path['id'], 'take_part'),
    handle: async ({ actor, subject, parameters: { title, issue_type: kind, ...given } }) => {
      const fields = { ...readFields(given), title, ...(kind === undefined ? {} : { kind }) };
      const number = await issues.open(actor, subject, fields);
      return { status: 201, body: await show(actor, subject.project.id, number) };
    },
  });

  const putIssue = route({
    method: 'put',
    path: `${BASE}/:iid`,
    operationId: 'editIssue',
    summary: 'Change, close or reopen an issue',
    tag: TAG,
    access: 'user',
    parameters: parameters({
      id: projectId,
      iid,
      title: Type.Optional(text(1_000)),
      state_event: Type.Optional(oneOf(['close', 'reopen'])),
      ...FIELDS,
    }),
    responses: { 200: IssueSchema },
    guard: findIssueToChange(parts),
    handle: async ({ actor, subject, parameters: { title, state_event: stateEvent, ...given } }) => {
      await issues.edit(actor, subject, {
        ...readFields(given),
        ...(title === undefined ? {} : { title }),
        ...(stateEvent === undefined ? {} : { stateEvent }),
      });
      return { body: await show(actor, subject.issue.projectId, subject.issue.iid) };
    },
  });

  const deleteIssue = route({
    method: 'delete',
    path: `${BASE}/:iid`,
    operationId: 'removeIssue',
    summary: 'Remove an issue (owners)',
    tag: TAG,
    access: 'user',
    parameters: parameters({ id: projectId, iid }),
    responses: { 204: null },
    guard: async (context) => {
      const visible = await find(context);
      const permitted = await access.project(context.actor, context.path['id'], 'remove_issues');
      return { permitted, visible };
    },
    handle: async ({ actor, subject }) => {
      await issues.remove(actor, subject.permitted, subject.visible);
      return { status: 204 };
    },
  });

  return [listAll, listOfProject, getIssue, postIssue, putIssue, deleteIssue];
};
