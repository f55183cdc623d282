import type {
  FetchDay,
  FetchDayReader,
  FetchDayRepository,
} from '../../../../../application/repositories/ports/fetch-days.js';
import type { ProjectId } from '../../../../../domain/shared/identifiers.js';
import type { Session } from '../session.js';

const byKey = (one: FetchDay, other: FetchDay): number =>
  one.projectId - other.projectId || (one.day < other.day ? -1 : 1);

export class KnexFetchDayRepository implements FetchDayRepository, FetchDayReader {
  constructor(private readonly session: Session) {}

  async add(days: readonly FetchDay[]): Promise<void> {
    // In one order, so that nodes don't wait for each other in a circle.
    for (const { projectId, day, fetches } of [...days].sort(byKey))
      await this.session.run(
        `insert into fetch_days (project_id, day, fetches)
         select id, cast(? as text), cast(? as bigint) from projects where id = ?
         on conflict (project_id, day) do update set fetches = fetch_days.fetches + excluded.fetches`,
        [day, fetches, projectId],
      );
  }

  async removeBefore(day: string, limit: number): Promise<number> {
    const { query } = this.session;
    const rows = await query('fetch_days').where('day', '<', day).limit(limit).select('project_id', 'day');
    for (const { project_id, day: gone } of rows) await query('fetch_days').where({ project_id, day: gone }).delete();
    return rows.length;
  }

  async daysOf(projectId: ProjectId, from: string): Promise<readonly FetchDay[]> {
    const rows = await this.session
      .query('fetch_days')
      .where({ project_id: projectId })
      .where('day', '>=', from)
      .orderBy('day', 'desc');
    return rows.map(({ day, fetches }) => ({ projectId, day, fetches: Number(fetches) }));
  }
}
