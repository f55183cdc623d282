import type {
  GivenBySchedule,
  ScheduleDetails,
  ScheduleReader,
} from '../../../../../application/pipelines/ports/schedule-ports.js';
import type { Pipeline } from '../../../../../domain/pipelines/pipeline.js';
import type { PipelineSchedule } from '../../../../../domain/pipelines/pipeline-schedule.js';
import type { ProjectId, UserId } from '../../../../../domain/shared/identifiers.js';
import type { Page, PageRequest } from '../../../../../domain/shared/page.js';
import { readPeople } from '../identity/people.js';
import { pageOfRows } from '../page-of-rows.js';
import type { Session } from '../session.js';
import { PIPELINE_COLUMNS, toPipeline, type PipelineRow } from './pipeline-rows.js';
import { SCHEDULE_COLUMNS, toGiven, toSchedule, type ScheduleRow } from './schedule-rows.js';

export class KnexScheduleReader implements ScheduleReader {
  constructor(private readonly session: Session) {}

  async list(projectId: ProjectId, active: boolean | undefined, page: PageRequest): Promise<Page<ScheduleDetails>> {
    const { query } = this.session;
    const list = query('pipeline_schedules')
      .where({ project_id: projectId })
      .select(...SCHEDULE_COLUMNS)
      .orderBy('id');
    if (active !== undefined) void list.where({ active });
    const found = await pageOfRows(this.session, list, page, (row: ScheduleRow) => row);
    return { ...found, items: await this.#withOwners(found.items) };
  }

  async find(projectId: ProjectId, id: number): Promise<ScheduleDetails | undefined> {
    const one = this.session.pinned.query('pipeline_schedules').where({ id, project_id: projectId });
    return (await this.#withOwners((await one.select(...SCHEDULE_COLUMNS)) as ScheduleRow[]))[0];
  }

  async givenBy(id: number): Promise<GivenBySchedule> {
    const { query } = this.session.pinned;
    return toGiven(await query('pipeline_schedules').where({ id }).first('sealed_variables', 'inputs'));
  }

  async ownerByPipeline(pipelineId: number): Promise<UserId | null> {
    const { query } = this.session.pinned;
    const made = query('pipelines').where({ id: pipelineId }).select('schedule_id');
    const row = await query('pipeline_schedules').whereIn('id', made).first('owner_id');
    return row?.owner_id ?? null;
  }

  async dueBefore(at: Date, limit: number): Promise<readonly PipelineSchedule[]> {
    const { query, dialect } = this.session;
    const rows = (await query('pipeline_schedules')
      .join('projects', 'projects.id', 'pipeline_schedules.project_id')
      .whereNull('projects.removal_requested_at')
      .where('next_run_at', '<=', dialect.writeInstant(at))
      // No project holds up the others with many of its own.
      .orderByRaw('row_number() over (partition by project_id order by next_run_at, pipeline_schedules.id)')
      .orderBy(['next_run_at', 'pipeline_schedules.id'])
      .limit(limit)
      .select(SCHEDULE_COLUMNS.map((column) => `pipeline_schedules.${column}`))) as ScheduleRow[];
    return rows.map((row) => toSchedule(row, dialect));
  }

  async lastPipelinesOf(ids: readonly number[]): Promise<ReadonlyMap<number, Pipeline>> {
    if (ids.length === 0) return new Map();
    const { query, dialect } = this.session;
    // One step into the index for each, however many pipelines it has made.
    const newest = query('pipelines').where('pipelines.schedule_id', query.ref('pipeline_schedules.id')).max('id');
    const ofEach = query('pipeline_schedules')
      .whereIn('id', [...ids])
      .select(newest.as('newest'));
    const rows = (await query('pipelines')
      .whereIn('id', ofEach)
      .select(...PIPELINE_COLUMNS, 'schedule_id')) as (PipelineRow & { schedule_id: number })[];
    return new Map(rows.map((row) => [row.schedule_id, toPipeline(row, dialect)]));
  }

  async #withOwners(rows: readonly ScheduleRow[]): Promise<readonly ScheduleDetails[]> {
    const { dialect } = this.session;
    const people = await readPeople(
      this.session,
      rows.map(({ owner_id: id }) => id),
    );
    return rows.map((row) => ({ ...toSchedule(row, dialect), owner: people.get(row.owner_id) ?? null }));
  }
}
