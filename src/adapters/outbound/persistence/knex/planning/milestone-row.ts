import type { Milestone } from '../../../../../domain/planning/milestone.js';
import type { Dialect } from '../dialect/dialect.js';
import type { RowOf } from '../tables.js';

export type MilestoneRow = Omit<RowOf<'milestones'>, 'search_key'>;

// Without the text that is searched, which is as long as the others together.
export const MILESTONE_COLUMNS: readonly (keyof MilestoneRow)[] = [
  'id',
  'project_id',
  'iid',
  'title',
  'description',
  'state',
  'start_date',
  'due_date',
  'created_at',
  'updated_at',
];

export const toMilestone = (row: MilestoneRow, dialect: Dialect): Milestone => ({
  id: row.id,
  projectId: row.project_id,
  iid: row.iid,
  title: row.title,
  description: row.description,
  state: row.state,
  startDate: row.start_date,
  dueDate: row.due_date,
  createdAt: dialect.readInstant(row.created_at),
  updatedAt: dialect.readInstant(row.updated_at),
});
