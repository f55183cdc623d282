import { Type } from '@sinclair/typebox';
import type { IssueFilters } from '../../../../../application/planning/ports/planning-readers.js';
import type { Actor } from '../../../../../application/shared/actor.js';
import { GROUP_ID, inGroup, inProject, PROJECT_ID } from '../../kit/guards.js';
import { routesOf } from '../../kit/routes-of.js';
import type { Route } from '../../route.js';
import { oneOf } from '../../validation/parameters.js';
import { refuseStrangersTheirOwn, scoped, SCOPES } from '../collaboration/scopes.js';
import type { IssueRoutesParts } from './find-issue.js';
import { COUNTED_FILTERS, countedIn, type CountedFilters } from './issue-parameters.js';

type Parts = IssueRoutesParts;
type Scope = (typeof SCOPES)[number];

const { get } = routesOf({ tag: 'Issues' });

const COUNTS = Type.Object({
  statistics: Type.Object({
    counts: Type.Object(
      { all: Type.Integer(), closed: Type.Integer(), opened: Type.Integer() },
      { description: 'Open and closed ones are each counted up to 10,000' },
    ),
  }),
});

const count = async (
  { access, planningReader }: Parts,
  actor: Actor,
  { scope, ...sent }: CountedFilters & { readonly scope: Scope },
  within: Pick<IssueFilters, 'projectId' | 'within' | 'archived'> = {},
) => {
  const viewer = access.viewer(actor);
  const filters = { ...countedIn(sent, viewer.today), ...within, ...scoped(actor, scope) };
  const { opened, closed } = await planningReader.countIssues({ ...filters, viewer });
  return { statistics: { counts: { all: opened + closed, closed, opened } } };
};

export const countIssues = (parts: Parts) =>
  get('/issues_statistics', 'countIssues', {
    summary: 'How many issues of all projects are open and closed',
    access: 'anyone',
    parameters: { ...COUNTED_FILTERS, scope: oneOf(SCOPES, { default: 'created_by_me' }) },
    answer: COUNTS,
    guard: refuseStrangersTheirOwn,
    handle: ({ actor, parameters }) => count(parts, actor, parameters),
  });

export const countGroupIssues = (parts: Parts) =>
  get('/groups/:id/issues_statistics', 'countGroupIssues', {
    summary: 'How many issues of a group, and of everything below it, are open and closed',
    access: 'anyone',
    parameters: { id: GROUP_ID, ...COUNTED_FILTERS, scope: oneOf(SCOPES, { default: 'all' }) },
    answer: COUNTS,
    guard: inGroup(parts.access, 'read_group'),
    handle: ({ actor, subject: { group }, parameters: { id: _id, ...sent } }) =>
      count(parts, actor, sent, { within: group.id, archived: false }),
  });

export const countProjectIssues = (parts: Parts) =>
  get('/projects/:id/issues_statistics', 'countProjectIssues', {
    summary: 'How many issues of a project are open and closed',
    access: 'anyone',
    parameters: { id: PROJECT_ID, ...COUNTED_FILTERS, scope: oneOf(SCOPES, { default: 'all' }) },
    answer: COUNTS,
    guard: inProject(parts.access, 'read_issues'),
    handle: ({ actor, subject: { project }, parameters: { id: _id, ...sent } }) =>
      count(parts, actor, sent, { projectId: project.id }),
  });

export const createIssueStatisticsRoutes = (parts: Parts): readonly Route[] =>
  [countIssues, countGroupIssues, countProjectIssues].map((make) => make(parts));
