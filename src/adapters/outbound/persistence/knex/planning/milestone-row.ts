import type { Knex } from 'knex';
import type { Milestone } from '../../../../../domain/planning/milestone.js';
import type { GroupId } from '../../../../../domain/shared/identifiers.js';
import type { Dialect } from '../dialect/dialect.js';
import { keptByIds } from '../kept-queries.js';
import type { Session } from '../session.js';
import type { RowOf } from '../tables.js';
import { idOfMilestone } from './milestone-ids.js';

/** A milestone with the group that it is of, if any. */
export interface MilestoneRow extends Omit<RowOf<'milestones'>, 'search_key'> {
  /** Its number there. */
  readonly group_iid: number | null;
  readonly group_id: GroupId | null;
  readonly group_path: string | null;
}

// Without the text that is searched, which is as long as the others together.
const TOLD = ['title', 'description', 'state', 'start_date', 'due_date', 'created_at', 'updated_at'] as const;

/** Of rows of `milestones` alone. */
export const OWN_COLUMNS = ['id', 'project_id', 'iid', 'group_milestone_id', ...TOLD] as const;

/** The description of a row with its group, which has it for all projects. */
export const MILESTONE_DESCRIPTION = 'coalesce(group_milestones.description, milestones.description)';

/** The same, with the groups that `withGroups` joins. */
export const milestoneColumns = (query: Knex) => [
  ...OWN_COLUMNS.filter((column) => column !== 'description').map((column) => `milestones.${column}`),
  {
    description: query.raw(MILESTONE_DESCRIPTION),
    group_iid: 'group_milestones.iid',
    group_id: 'group_milestones.group_id',
    group_path: 'milestone_groups.full_path',
  },
];

/** The groups of those milestones of a query that are of one. */
export const withGroups = (milestones: Knex.QueryBuilder): Knex.QueryBuilder =>
  milestones
    .leftJoin('group_milestones', 'group_milestones.id', 'milestones.group_milestone_id')
    .leftJoin({ milestone_groups: 'namespaces' }, 'milestone_groups.id', 'group_milestones.group_id');

/** The same columns of rows of `group_milestones`, with their groups. */
export const groupMilestoneRows = (query: Knex): Knex.QueryBuilder =>
  query('group_milestones')
    .join({ milestone_groups: 'namespaces' }, 'milestone_groups.id', 'group_milestones.group_id')
    .select(...['id', 'iid', ...TOLD].map((column) => `group_milestones.${column}`), {
      group_milestone_id: 'group_milestones.id',
      group_iid: 'group_milestones.iid',
      group_id: 'group_milestones.group_id',
      group_path: 'milestone_groups.full_path',
    });

export const toMilestone = (row: MilestoneRow, dialect: Dialect): Milestone => ({
  id: idOfMilestone(row),
  projectId: row.group_id === null ? row.project_id : null,
  group: row.group_id === null ? null : { id: row.group_id, fullPath: row.group_path ?? '' },
  iid: row.group_iid ?? row.iid,
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
  withGroups(query('milestones'))
    .where(among('milestones.id'))
    .select(...milestoneColumns(query)),
);

/** Milestones by the ids of their rows in projects; null is none. */
export const milestonesById = async (
  session: Session,
  ids: readonly (number | null)[],
): Promise<ReadonlyMap<number, Milestone>> => {
  const rows = await milestonesBy(session, withoutNull(ids));
  return new Map(rows.map((row) => [row.id, toMilestone(row, session.dialect)]));
};

/** Those of milestones by the ids of their rows in projects; null is none. */
export const milestoneTitles = async (
  { query }: Session,
  ids: readonly (number | null)[],
): Promise<ReadonlyMap<number, string>> => {
  const wanted = withoutNull(ids);
  if (wanted.length === 0) return new Map();
  const rows = await query('milestones').whereIn('id', wanted).select('id', 'title');
  return new Map(rows.map(({ id, title }) => [id, title]));
};
