import type { ProjectId } from '../../../../../domain/shared/identifiers.js';
import { Type } from '@sinclair/typebox';
import type { Milestones } from '../../../../../application/planning/milestones.js';
import type { MilestoneReader, PlanningReader } from '../../../../../application/planning/ports/planning-readers.js';
import type { WorkspaceAccess } from '../../../../../application/workspace/workspace-access.js';
import { found, inProject, PROJECT_ID } from '../../kit/guards.js';
import { orNotFound } from '../../kit/or-not-found.js';
import { routesOf } from '../../kit/routes-of.js';
import type { Route } from '../../route.js';
import { pathId } from '../../validation/parameters.js';
import type { WebUrls } from '../../web-urls.js';
import { IssueSchema, presentOwnIssue } from '../issues/issue-schema.js';
import {
  filtersIn,
  MILESTONE_CHANGES,
  MILESTONE_FILTERS,
  milestoneChangesIn,
  NEW_MILESTONE,
  newMilestoneIn,
  withThoseAbove,
} from './milestone-parameters.js';
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
export const MILESTONE = `${ALL}/:milestone_id`;
export const MILESTONE_IN_PATH = { id: PROJECT_ID, milestone_id: pathId('Numeric id of the milestone') };

export const inMilestone = <P extends 'read_milestones' | 'read_issues' | 'read_merge_requests' | 'manage_milestones'>(
  { access, milestoneReader }: Parts,
  permission: P,
) =>
  found('Milestone', 'milestone_id', inProject(access, permission), ({ project }, id) =>
    milestoneReader.find(project.id, { id }),
  );

const show = async ({ milestoneReader, urls }: Parts, projectId: ProjectId, id: number) =>
  presentMilestone(orNotFound(await milestoneReader.find(projectId, { id }), 'Milestone'), urls);

const THOSE_ABOVE = 'Those of the groups above as well, as far as the project has none of that title';

export const listMilestones = ({ access, milestoneReader, urls }: Parts) =>
  list(ALL, 'listMilestones', {
    summary: 'Milestones of a project',
    description: 'The old filter `iid` is ignored: use `iids`.',
    access: 'anyone',
    parameters: {
      id: PROJECT_ID,
      ...MILESTONE_FILTERS,
      include_ancestors: Type.Boolean({ default: false, description: THOSE_ABOVE }),
      include_parent_milestones: Type.Boolean({ default: false, description: `${THOSE_ABOVE}: an older name` }),
    },
    items: MilestoneSchema,
    guard: inProject(access, 'read_milestones'),
    read: ({ subject: { project }, parameters, page }) =>
      milestoneReader.list({ projectId: project.id, page, ...withThoseAbove(parameters), ...filtersIn(parameters) }),
    present: (milestone) => presentMilestone(milestone, urls),
  });

export const getMilestone = (parts: Parts) =>
  get(MILESTONE, 'getMilestone', {
    summary: 'One milestone',
    access: 'anyone',
    parameters: MILESTONE_IN_PATH,
    answer: MilestoneSchema,
    guard: inMilestone(parts, 'read_milestones'),
    handle: ({ subject }) => presentMilestone(subject.milestone, parts.urls),
  });

export const listMilestoneIssues = (parts: Parts) =>
  list(`${MILESTONE}/issues`, 'listMilestoneIssues', {
    summary: 'Issues that are planned for a milestone',
    access: 'anyone',
    parameters: MILESTONE_IN_PATH,
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
    parameters: { id: PROJECT_ID, ...NEW_MILESTONE },
    answer: MilestoneSchema,
    guard: inProject(parts.access, 'manage_milestones'),
    handle: async ({ actor, subject, parameters }) => {
      const id = await parts.milestones.create(actor, subject, newMilestoneIn(parameters));
      return show(parts, subject.project.id, id);
    },
  });

export const editMilestone = (parts: Parts) =>
  put(MILESTONE, 'editMilestone', {
    summary: 'Change, close or activate a milestone',
    access: 'user',
    parameters: { ...MILESTONE_IN_PATH, ...MILESTONE_CHANGES },
    answer: MilestoneSchema,
    guard: inMilestone(parts, 'manage_milestones'),
    handle: async ({ actor, subject, parameters }) => {
      await parts.milestones.edit(actor, subject, subject.milestone.id, milestoneChangesIn(parameters));
      return show(parts, subject.project.id, subject.milestone.id);
    },
  });

export const removeMilestone = (parts: Parts) =>
  remove(MILESTONE, 'removeMilestone', {
    summary: 'Remove a milestone; its issues stay',
    access: 'user',
    parameters: MILESTONE_IN_PATH,
    guard: inMilestone(parts, 'manage_milestones'),
    lastChanged: ({ milestone }) => milestone.updatedAt,
    handle: ({ actor, subject }) => parts.milestones.remove(actor, subject, subject.milestone.id),
  });

export const createMilestoneRoutes = (parts: Parts): readonly Route[] =>
  [listMilestones, getMilestone, listMilestoneIssues, createMilestone, editMilestone, removeMilestone].map((make) =>
    make(parts),
  );
