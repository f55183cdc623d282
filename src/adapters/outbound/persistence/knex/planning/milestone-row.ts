import type { Milestone } from '../../../../../domain/planning/milestone.js';
import type { Dialect } from '../dialect/dialect.js';
import { keptByIds } from '../kept-queries.js';
import type { Session } from '../session.js';
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

const withoutNull = (ids: readonly (number | null)[]): number[] => [...new Set(ids.filter((id) => id !== null))];

const milestonesBy = keptByIds<MilestoneRow>((query, among) =>
  query('milestones')
    .where(among('id'))
    .select(...MILESTONE_COLUMNS),
);

/** Milestones by their ids; null is none. */
export const milestonesById = async (
  session: Session,
  ids: readonly (number | null)[],
): Promise<ReadonlyMap<number, Milestone>> => {
  const rows = await milestonesBy(session, withoutNull(ids));
  return new Map(rows.map((row) => [row.id, toMilestone(row, session.dialect)]));
};

/** Those of milestones by their ids; null is none. */
export const milestoneTitles = async (
  { query }: Session,
  ids: readonly (number | null)[],
): Promise<ReadonlyMap<number, string>> => {
  const wanted = withoutNull(ids);
  if (wanted.length === 0) return new Map();
  const rows = await query('milestones').whereIn('id', wanted).select('id', 'title');
  return new Map(rows.map(({ id, title }) => [id, title]));
};
