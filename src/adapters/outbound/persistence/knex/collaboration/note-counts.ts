import type { Session } from '../session.js';

/** How many comments subjects have, by their ids; those that have none are left out. */
export const noteCounts = async ({ query }: Session, ids: readonly number[]): Promise<ReadonlyMap<number, number>> => {
  const rows = (await query('notes')
    .whereIn('subject_id', [...ids])
    .where({ system: false })
    .groupBy('subject_id')
    .select('subject_id')
    .count({ notes: '*' })) as { subject_id: number; notes: number | string }[];
  return new Map(rows.map((row) => [row.subject_id, Number(row.notes)]));
};
