import type {
  TimeReader,
  TimeRepository,
  TrackedTime,
} from '../../../../../application/collaboration/ports/time-ports.js';
import { keptByIds } from '../kept-queries.js';
import type { Session } from '../session.js';
import type { RowOf } from '../tables.js';

const NONE: TrackedTime = { estimatedSeconds: 0, spentSeconds: 0 };

const toTime = (row: RowOf<'time_tracking'> | undefined): TrackedTime =>
  row === undefined
    ? NONE
    : { estimatedSeconds: Number(row.estimated_seconds), spentSeconds: Number(row.spent_seconds) };

/** For repositories and readers alike. */
export class KnexTime implements TimeRepository, TimeReader {
  constructor(private readonly session: Session) {}

  async take(subjectId: number): Promise<TrackedTime> {
    const { query, dialect } = this.session;
    await query('time_tracking')
      .insert({ subject_id: subjectId, estimated_seconds: 0, spent_seconds: 0 })
      .onConflict('subject_id')
      .ignore();
    const [row] = await dialect.lockRows(query('time_tracking').where({ subject_id: subjectId }));
    return toTime(row);
  }

  async save(subjectId: number, { estimatedSeconds, spentSeconds }: TrackedTime): Promise<void> {
    await this.session
      .query('time_tracking')
      .where({ subject_id: subjectId })
      .update({ estimated_seconds: estimatedSeconds, spent_seconds: spentSeconds });
  }

  async find(subjectId: number): Promise<TrackedTime> {
    return toTime(await this.session.query('time_tracking').where({ subject_id: subjectId }).first());
  }
}

const timesBy = keptByIds<RowOf<'time_tracking'>>((query, among) =>
  query('time_tracking').where(among('subject_id')).select('subject_id', 'estimated_seconds', 'spent_seconds'),
);

/** The time of many subjects. */
export const timeOfSubjects = async (
  session: Session,
  ids: readonly number[],
): Promise<(subjectId: number) => TrackedTime> => {
  const rows = await timesBy(session, ids);
  const times = new Map(rows.map((row) => [row.subject_id, toTime(row)]));
  return (id) => times.get(id) ?? NONE;
};
