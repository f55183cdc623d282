import type { Knex } from 'knex';
import type { MilestoneDetails } from '../../../../../application/planning/ports/planning-readers.js';
import { together } from '../../../../../application/shared/together.js';
import { inOrderOf } from '../read-in-batches.js';
import type { Session } from '../session.js';
import { milestonesApart } from './milestone-ids.js';
import { groupMilestoneRows, milestoneColumns, toMilestone, withGroups, type MilestoneRow } from './milestone-row.js';

type Row = MilestoneRow & { readonly project_path?: string };

const toDetails = ({ dialect }: Session, row: Row): MilestoneDetails => {
  const milestone = toMilestone(row, dialect);
  return { ...milestone, projectPath: milestone.group === null ? (row.project_path ?? null) : null };
};

/** Milestones by the ids of their rows in projects. @param which of `milestones`. */
export const detailsOfRows = async (
  session: Session,
  which: (rows: Knex.QueryBuilder) => unknown,
): Promise<ReadonlyMap<number, MilestoneDetails>> => {
  const rows = withGroups(session.query('milestones'))
    .join('projects', 'projects.id', 'milestones.project_id')
    .select(...milestoneColumns(session.query), { project_path: 'projects.full_path' });
  which(rows);
  return new Map(((await rows) as Row[]).map((row) => [row.id, toDetails(session, row)]));
};

/** The same by their ids. */
export const detailsByRow = async (
  session: Session,
  ids: readonly number[],
): Promise<ReadonlyMap<number, MilestoneDetails>> =>
  ids.length === 0 ? new Map() : detailsOfRows(session, (rows) => rows.whereIn('milestones.id', [...new Set(ids)]));

/** Those of these ids, as everybody knows them, in their order. */
export const milestoneDetails = async (
  session: Session,
  ids: readonly number[],
): Promise<readonly MilestoneDetails[]> => {
  const { own, ofGroups } = milestonesApart(ids);
  const [rows, rowsOfGroups] = await together([
    detailsByRow(session, own),
    ofGroups.length === 0
      ? Promise.resolve([])
      : (groupMilestoneRows(session.query).whereIn('group_milestones.id', ofGroups) as Promise<Row[]>),
  ]);
  return inOrderOf(ids, [...rows.values(), ...rowsOfGroups.map((row) => toDetails(session, row))]);
};
