import type { ProjectId } from '../../../../../domain/shared/identifiers.js';
import { Type } from '@sinclair/typebox';
import type { Milestones } from '../../../../../application/planning/milestones.js';
import type { MilestoneReader, PlanningReader } from '../../../../../application/planning/ports/planning-readers.js';
import type { WorkspaceAccess } from '../../../../../application/workspace/workspace-access.js';
import { MAX_TEXT } from '../../../../../domain/planning/issue.js';
import { clearable, given } from '../../kit/given.js';
import { found, inProject, PROJECT_ID } from '../../kit/guards.js';
import { orNotFound } from '../../kit/or-not-found.js';
import { routesOf } from '../../kit/routes-of.js';
import type { Route } from '../../route.js';
import {
  clearableDay,
  identifier,
  instantOrDay,
  listOf,
  oneOf,
  pathId,
  text,
  timeIn,
} from '../../validation/parameters.js';
import type { ParametersOf } from '../../validation/parameters.js';
import type { WebUrls } from '../../web-urls.js';
import { IssueSchema, presentOwnIssue } from '../issues/issue-schema.js';
import { MilestoneSchema, presentMilestone } from './milestone-schema.js';

export interface MilestoneRoutesParts {
  readonly access: WorkspaceAccess;
  readonly milestones: Milestones;
  readonly milestoneReader: MilestoneReader;
  readonly planningReader: PlanningReader;
  readonly urls: WebUrls;
}
type Parts = MilestoneRoutesParts;

const { list, get, post, put, remove } = routesOf({ tag: 'Milestones' });
const ALL = '/projects/:id/milestones';
const ONE = `${ALL}/:milestone_id`;
const IN_PATH = { id: PROJECT_ID, milestone_id: pathId('Numeric id of the milestone') };

const FIELDS = {
  description: Type.Optional(text(MAX_TEXT)),
  start_date: Type.Optional(clearableDay()),
  due_date: Type.Optional(clearableDay()),
};
const fieldsOf = ({ description, start_date, due_date }: ParametersOf<typeof FIELDS>) =>
  given({ description, startDate: clearable(start_date), dueDate: clearable(due_date) });

const inMilestone = <P extends 'read_project' | 'read_issues' | 'read_merge_requests' | 'manage_milestones'>(
  { access, milestoneReader }: Parts,
  permission: P,
) =>
  found('Milestone', 'milestone_id', inProject(access, permission), ({ project }, id) =>
    milestoneReader.find(project.id, { id }),
  );

const show = async ({ milestoneReader, urls }: Parts, projectId: ProjectId, id: number) =>
  presentMilestone(orNotFound(await milestoneReader.find(projectId, { id }), 'Milestone'), urls);

const NO_OTHERS = 'Changes nothing: groups have no milestones';

export const listMilestones = ({ access, milestoneReader, urls }: Parts) =>
  list(ALL, 'listMilestones', {
    summary: 'Milestones of a project',
    description: 'The old filter `iid` is ignored: use `iids`.',
    access: 'anyone',
    parameters: {
      id: PROJECT_ID,
      iids: Type.Optional(listOf(identifier(), { description: 'Numbers within the project' })),
      state: oneOf(['active', 'closed', 'all'], { default: 'all' }),
      title: Type.Optional(text(255, 'The whole title')),
      search: Type.Optional(text(255, 'Part of title or description')),
      updated_after: Type.Optional(instantOrDay('Changed then or later')),
      updated_before: Type.Optional(instantOrDay('Changed then or before')),
      include_ancestors: Type.Optional(Type.Boolean({ description: NO_OTHERS })),
      include_parent_milestones: Type.Optional(Type.Boolean({ description: NO_OTHERS })),
    },
    items: MilestoneSchema,
    guard: inProject(access, 'read_project'),
    read: ({ subject: { project }, parameters: { iids, state, title, search, ...sent }, page }) => {
      const inState = state === 'all' ? undefined : state;
      const changed = { updatedAfter: timeIn(sent.updated_after), updatedBefore: timeIn(sent.updated_before) };
      const narrowed = given({ iids, state: inState, title, search, ...changed });
      return milestoneReader.list({ projectId: project.id, page, ...narrowed });
    },
    present: (milestone) => presentMilestone(milestone, urls),
  });

export const getMilestone = (parts: Parts) =>
  get(ONE, 'getMilestone', {
    summary: 'One milestone',
    access: 'anyone',
    parameters: IN_PATH,
    answer: MilestoneSchema,
    guard: inMilestone(parts, 'read_project'),
    handle: ({ subject }) => presentMilestone(subject.milestone, parts.urls),
  });

export const listMilestoneIssues = (parts: Parts) =>
  list(`${ONE}/issues`, 'listMilestoneIssues', {
    summary: 'Issues that are planned for a milestone',
    access: 'anyone',
    parameters: IN_PATH,
    items: IssueSchema,
    guard: inMilestone(parts, 'read_issues'),
    read: ({ actor, subject: { project, milestone }, page }) => {
      const planned = { projectId: project.id, milestoneId: milestone.id, viewer: parts.access.viewer(actor) };
      return parts.planningReader.listIssues({ ...planned, orderBy: 'created_at', sort: 'desc', page });
    },
    present: (issue) => presentOwnIssue(issue, parts.urls),
  });

export const createMilestone = (parts: Parts) =>
  post(ALL, 'createMilestone', {
    summary: 'Make a milestone',
    access: 'user',
    parameters: { id: PROJECT_ID, title: text(1_000), ...FIELDS },
    answer: MilestoneSchema,
    guard: inProject(parts.access, 'manage_milestones'),
    handle: async ({ actor, subject, parameters: { title, ...fields } }) => {
      const id = await parts.milestones.create(actor, subject, { title, ...fieldsOf(fields) });
      return show(parts, subject.project.id, id);
    },
  });

export const editMilestone = (parts: Parts) =>
  put(ONE, 'editMilestone', {
    summary: 'Change, close or activate a milestone',
    access: 'user',
    parameters: {
      ...IN_PATH,
      title: Type.Optional(text(1_000)),
      ...FIELDS,
      state_event: Type.Optional(oneOf(['close', 'activate'])),
    },
    answer: MilestoneSchema,
    guard: inMilestone(parts, 'manage_milestones'),
    handle: async ({ actor, subject, parameters: { title, state_event: stateEvent, ...fields } }) => {
      const changes = { ...fieldsOf(fields), ...given({ title, stateEvent }) };
      await parts.milestones.edit(actor, subject, subject.milestone.id, changes);
      return show(parts, subject.project.id, subject.milestone.id);
    },
  });

export const removeMilestone = (parts: Parts) =>
  remove(ONE, 'removeMilestone', {
    summary: 'Remove a milestone; its issues stay',
    access: 'user',
    parameters: IN_PATH,
    guard: inMilestone(parts, 'manage_milestones'),
    lastChanged: ({ milestone }) => milestone.updatedAt,
    handle: ({ actor, subject }) => parts.milestones.remove(actor, subject, subject.milestone.id),
  });

export const createMilestoneRoutes = (parts: Parts): readonly Route[] =>
  [listMilestones, getMilestone, listMilestoneIssues, createMilestone, editMilestone, removeMilestone].map((make) =>
    make(parts),
  );
