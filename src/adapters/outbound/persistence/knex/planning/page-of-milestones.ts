import type { Knex } from 'knex';
import type { MilestoneDetails, MilestoneFilters } from '../../../../../application/planning/ports/planning-readers.js';
import type { PageInBatches } from '../../../../../application/shared/page-in-batches.js';
import { pageOfRows } from '../page-of-rows.js';
import { bytesOf, readInBatches, type SizedRow } from '../read-in-batches.js';
import type { Session } from '../session.js';
import { containsPattern } from '../text-search.js';
import { milestoneDetails } from './milestone-details.js';

/** Those without one last: databases differ in where they put what is absent. */
export const byDueDate = (milestones: Knex.QueryBuilder): Knex.QueryBuilder =>
  milestones.orderByRaw('due_date is null').orderBy('due_date').orderBy('id');

const narrow = (
  list: Knex.QueryBuilder,
  { dialect }: Session,
  { iids, state, titles, search, updatedAfter, updatedBefore }: MilestoneFilters,
): void => {
  if (iids !== undefined) void list.whereIn('iid', [...iids]);
  if (state !== undefined) void list.where({ state });
  if (titles !== undefined) void list.whereIn('title', [...titles]);
  if (search !== undefined) void list.whereRaw("search_key like ? escape '\\'", [containsPattern(search)]);
  if (updatedAfter !== undefined) void list.where('updated_at', '>=', dialect.writeInstant(updatedAfter));
  if (updatedBefore !== undefined) void list.where('updated_at', '<=', dialect.writeInstant(updatedBefore));
};

/** A page of a list of milestones, which is narrowed and ordered here; what is told of them is read in batches. */
export const pageOfMilestones = async (
  session: Session,
  milestones: Knex.QueryBuilder,
  filters: MilestoneFilters,
): Promise<PageInBatches<MilestoneDetails>> => {
  const list = session.query.from(milestones.as('listed')).select('id', 'bytes');
  narrow(list, session, filters);
  const { items, ...rest } = await pageOfRows(session, byDueDate(list), filters.page, (row: SizedRow) => row);
  const read = (rows: readonly SizedRow[]) =>
    milestoneDetails(
      session,
      rows.map(({ id }) => id),
    );
  return { ...rest, batches: readInBatches(items, bytesOf, read) };
};
