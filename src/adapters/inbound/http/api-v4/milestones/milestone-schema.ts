import { Type } from '@sinclair/typebox';
import type { MilestoneDetails } from '../../../../../application/planning/ports/planning-readers.js';
import { nullable } from '../../validation/parameters.js';
import type { WebUrls } from '../../web-urls.js';
import { component } from '../../openapi/component.js';

const instant = Type.String({ format: 'date-time' });
const day = nullable(Type.String({ format: 'date' }));

export const MilestoneSchema = component(
  'schemas/Milestone',
  Type.Object({
    id: Type.Integer(),
    iid: Type.Integer({ description: 'Counted within the project' }),
    project_id: Type.Integer(),
    title: Type.String(),
    description: Type.String(),
    state: Type.String({ description: 'active or closed' }),
    start_date: day,
    due_date: day,
    created_at: instant,
    updated_at: instant,
    web_url: Type.String(),
  }),
);

export const presentMilestone = (milestone: MilestoneDetails, urls: WebUrls) => ({
  id: milestone.id,
  iid: milestone.iid,
  project_id: milestone.projectId,
  title: milestone.title,
  description: milestone.description,
  state: milestone.state,
  start_date: milestone.startDate,
  due_date: milestone.dueDate,
  created_at: milestone.createdAt.toISOString(),
  updated_at: milestone.updatedAt.toISOString(),
  web_url: urls.milestone(milestone.projectPath, milestone.iid),
});
