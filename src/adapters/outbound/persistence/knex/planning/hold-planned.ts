import type { Knex } from 'knex';
import type { Session } from '../session.js';

/**
 * What is planned for some milestones is let go of with them, so whoever removes these holds it before: merge requests before the
 * milestones, as those do who change one, and issues after them. Each is held in the order of ids, which a removal by itself doesn't keep.
 *
 * @param milestones a query of `id`.
 */
export const holdPlanned = async (
  { query, dialect }: Session,
  table: 'issues' | 'merge_requests',
  milestones: Knex.QueryBuilder,
): Promise<void> => {
  const planned = query(table).whereIn('milestone_id', milestones).orderBy('id').select('id');
  // Counted, as there may be very many.
  await query.from(dialect.lockRows(planned).as('held')).count({ all: '*' });
};
