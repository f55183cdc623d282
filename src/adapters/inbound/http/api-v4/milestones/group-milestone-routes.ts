import { Type } from '@sinclair/typebox';
import type { GroupMilestones } from '../../../../../application/planning/group-milestones.js';
import type { GroupMilestoneReader } from '../../../../../application/planning/ports/group-milestones.js';
import type { PlanningReader } from '../../../../../application/planning/ports/planning-readers.js';
import type { WorkspaceAccess } from '../../../../../application/workspace/workspace-access.js';
import { MAX_MILESTONES_OF_GROUP } from '../../../../../domain/planning/milestone.js';
import type { GroupId } from '../../../../../domain/shared/identifiers.js';
import { found, GROUP_ID, inGroup } from '../../kit/guards.js';
import { orNotFound } from '../../kit/or-not-found.js';
import { routesOf } from '../../kit/routes-of.js';
import type { Route } from '../../route.js';
import { pathId } from '../../validation/parameters.js';
import type { WebUrls } from '../../web-urls.js';
import { IssueSchema, presentIssue } from '../issues/issue-schema.js';
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

export interface GroupMilestoneRoutesParts {
  readonly access: WorkspaceAccess;
  readonly groupMilestones: GroupMilestones;
  readonly groupMilestoneReader: GroupMilestoneReader;
  readonly planningReader: PlanningReader;
  readonly urls: WebUrls;
}
type Parts = GroupMilestoneRoutesParts;

const { list, get, post, put, remove } = routesOf({ tag: 'Milestones' });
const ALL = '/groups/:id/milestones';
export const GROUP_MILESTONE = `${ALL}/:milestone_id`;
export const GROUP_MILESTONE_IN_PATH = { id: GROUP_ID, milestone_id: pathId('Numeric id of the milestone') };

/** The milestone of a path, for callers who may do this to its group: those of groups above have addresses there. */
export const inGroupMilestone = <P extends 'read_group' | 'manage_group_milestones'>(
  { access, groupMilestoneReader }: Pick<Parts, 'access' | 'groupMilestoneReader'>,
  permission: P,
) =>
  found('Milestone', 'milestone_id', inGroup(access, permission), ({ group }, id: number) =>
    groupMilestoneReader.find(group.id, { id }),
  );

const show = async ({ groupMilestoneReader, urls }: Parts, groupId: GroupId, id: number) =>
  presentMilestone(orNotFound(await groupMilestoneReader.find(groupId, { id }), 'Milestone'), urls);

export const listGroupMilestones = ({ access, groupMilestoneReader, urls }: Parts) =>
  list(ALL, 'listGroupMilestones', {
    summary: 'Milestones of a group',
    access: 'anyone',
    parameters: {
      id: GROUP_ID,
      ...MILESTONE_FILTERS,
      include_ancestors: Type.Boolean({ default: false, description: 'Those of the groups above as well' }),
      include_parent_milestones: Type.Boolean({ default: false, description: 'The same: an older name' }),
    },
    items: MilestoneSchema,
    guard: inGroup(access, 'read_group'),
    read: ({ subject: { group }, parameters, page }) =>
      groupMilestoneReader.list({ groupId: group.id, page, ...withThoseAbove(parameters), ...filtersIn(parameters) }),
    present: (milestone) => presentMilestone(milestone, urls),
  });

export const getGroupMilestone = (parts: Parts) =>
  get(GROUP_MILESTONE, 'getGroupMilestone', {
    summary: 'One milestone of a group',
    access: 'anyone',
    parameters: GROUP_MILESTONE_IN_PATH,
    answer: MilestoneSchema,
    guard: inGroupMilestone(parts, 'read_group'),
    handle: ({ subject }) => presentMilestone(subject.milestone, parts.urls),
  });

export const listGroupMilestoneIssues = (parts: Parts) =>
  list(`${GROUP_MILESTONE}/issues`, 'listGroupMilestoneIssues', {
    summary: 'Issues of all projects that are planned for a milestone of a group',
    access: 'anyone',
    parameters: GROUP_MILESTONE_IN_PATH,
    items: IssueSchema,
    guard: inGroupMilestone(parts, 'read_group'),
    read: ({ actor, subject: { milestone }, page }) => {
      const planned = { milestoneId: milestone.id, viewer: parts.access.viewer(actor) };
      return parts.planningReader.listIssues({ ...planned, orderBy: 'created_at', sort: 'desc', page });
    },
    present: (issue, { subject: { group } }) => presentIssue(issue, parts.urls, { group: group.fullPath }),
  });

export const createGroupMilestone = (parts: Parts) =>
  post(ALL, 'createGroupMilestone', {
    summary: 'Make a milestone of a group (developers)',
    description: `Issues and merge requests of all projects in the group and below it can be planned for it. A group has at most ${MAX_MILESTONES_OF_GROUP}.`,
    access: 'user',
    parameters: { id: GROUP_ID, ...NEW_MILESTONE },
    answer: MilestoneSchema,
    guard: inGroup(parts.access, 'manage_group_milestones'),
    handle: async ({ subject, parameters }) =>
      show(parts, subject.group.id, await parts.groupMilestones.create(subject, newMilestoneIn(parameters))),
  });

export const editGroupMilestone = (parts: Parts) =>
  put(GROUP_MILESTONE, 'editGroupMilestone', {
    summary: 'Change, close or activate a milestone of a group (developers)',
    access: 'user',
    parameters: { ...GROUP_MILESTONE_IN_PATH, ...MILESTONE_CHANGES },
    answer: MilestoneSchema,
    guard: inGroupMilestone(parts, 'manage_group_milestones'),
    handle: async ({ subject, parameters }) => {
      const { group, milestone } = subject;
      await parts.groupMilestones.edit(subject, milestone.id, milestoneChangesIn(parameters));
      return show(parts, group.id, milestone.id);
    },
  });

export const removeGroupMilestone = (parts: Parts) =>
  remove(GROUP_MILESTONE, 'removeGroupMilestone', {
    summary: 'Remove a milestone of a group (developers)',
    description: 'What was planned for it, in any project, stays.',
    access: 'user',
    parameters: GROUP_MILESTONE_IN_PATH,
    guard: inGroupMilestone(parts, 'manage_group_milestones'),
    lastChanged: ({ milestone }) => milestone.updatedAt,
    handle: ({ subject }) => parts.groupMilestones.remove(subject, subject.milestone.id),
  });

/** The milestones of groups. */
export const createGroupMilestoneRoutes = (parts: Parts): readonly Route[] => [
  listGroupMilestones(parts),
  getGroupMilestone(parts),
  listGroupMilestoneIssues(parts),
  createGroupMilestone(parts),
  editGroupMilestone(parts),
  removeGroupMilestone(parts),
];
