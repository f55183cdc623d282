import { Type } from '@sinclair/typebox';
import type { Progress } from '../../../../../application/planning/ports/planning-overview.js';
import type { MilestoneDetails } from '../../../../../application/planning/ports/planning-readers.js';
import { nullable } from '../../validation/parameters.js';
import type { WebUrls } from '../../web-urls.js';
import { component } from '../../openapi/component.js';

const instant = Type.String({ format: 'date-time' });
const day = nullable(Type.String({ format: 'date' }));

const FIELDS = {
  id: Type.Integer(),
  iid: Type.Integer({ description: 'Counted within the project, or within the group' }),
  project_id: Type.Optional(Type.Integer({ description: 'Absent for one of a group' })),
  group_id: Type.Optional(Type.Integer({ description: 'Absent for one of a project' })),
  title: Type.String(),
  description: Type.String(),
  state: Type.String({ description: 'active or closed' }),
  start_date: day,
  due_date: day,
  created_at: instant,
  updated_at: instant,
  web_url: Type.String(),
};

export const MilestoneSchema = component('schemas/Milestone', Type.Object(FIELDS));

export const MilestoneOfReleaseSchema = component(
  'schemas/MilestoneOfRelease',
  Type.Object({
    ...FIELDS,
    issue_stats: Type.Object({
      total: Type.Integer({ description: 'How many of its issues the caller sees' }),
      closed: Type.Integer(),
    }),
  }),
);

export const presentMilestone = (milestone: MilestoneDetails, urls: WebUrls) => ({
  id: milestone.id,
  iid: milestone.iid,
  ...(milestone.projectId !== null && { project_id: milestone.projectId }),
  ...(milestone.group !== null && { group_id: milestone.group.id }),
  title: milestone.title,
  description: milestone.description,
  state: milestone.state,
  start_date: milestone.startDate,
  due_date: milestone.dueDate,
  created_at: milestone.createdAt.toISOString(),
  updated_at: milestone.updatedAt.toISOString(),
  web_url: urls.milestone(milestone),
});

/** @param progress how far it is; undefined for one without issues that the caller may see. */
export const presentMilestoneOfRelease = (
  milestone: MilestoneDetails,
  { open, closed }: Progress = { open: 0, closed: 0 },
  urls: WebUrls,
) => ({ ...presentMilestone(milestone, urls), issue_stats: { total: open + closed, closed } });
