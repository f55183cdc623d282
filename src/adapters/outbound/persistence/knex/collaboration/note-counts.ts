import { keptByIds } from '../kept-queries.js';
import type { Session } from '../session.js';

const countsBySubject = keptByIds<{ readonly subject_id: number; readonly notes: number | string }>((query, among) =>
  query('notes')
    .where(among('subject_id'))
    .where({ system: false })
    .groupBy('subject_id')
    .select('subject_id')
    .count({ notes: '*' }),
);

/** How many comments subjects have, by their ids; those that have none are left out. */
export const noteCounts = async (session: Session, ids: readonly number[]): Promise<ReadonlyMap<number, number>> => {
  const rows = await countsBySubject(session, ids);
  return new Map(rows.map((row) => [row.subject_id, Number(row.notes)]));
};
