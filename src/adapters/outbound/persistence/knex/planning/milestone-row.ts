import type { Milestone, MilestoneState } from '../../../../../domain/planning/milestone.js';
import type { Dialect } from '../dialect/dialect.js';

export interface MilestoneRow {
  readonly id: number;
  readonly project_id: number;
  readonly iid: number;
  readonly title: string;
  readonly description: string;
  readonly state: string;
  readonly start_date: string | null;
  readonly due_date: string | null;
  readonly created_at: unknown;
  readonly updated_at: unknown;
}

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
  state: row.state as MilestoneState,
  startDate: row.start_date,
  dueDate: row.due_date,
  createdAt: dialect.readInstant(row.created_at),
  updatedAt: dialect.readInstant(row.updated_at),
});
