import type {
  AfterRun,
  NewSchedule,
  ScheduleChange,
  ScheduleRepository,
  StoredSchedule,
} from '../../../../../application/pipelines/ports/schedule-ports.js';
import type { PipelineSchedule } from '../../../../../domain/pipelines/pipeline-schedule.js';
import type { ProjectId } from '../../../../../domain/shared/identifiers.js';
import { writeInstantOrNull } from '../dialect/nullable-instants.js';
import type { Session } from '../session.js';
import type { RowOf } from '../tables.js';
import { toGiven, toSchedule, writtenInputs } from './schedule-rows.js';

export class KnexScheduleRepository implements ScheduleRepository {
  constructor(private readonly session: Session) {}

  hold(projectId: ProjectId): Promise<void> {
    return this.session.hold(`pipeline schedules of ${projectId}`);
  }

  async countOf(projectId: ProjectId): Promise<number> {
    const [row] = await this.session.query('pipeline_schedules').where({ project_id: projectId }).count({ all: '*' });
    return Number(row?.all);
  }

  async find(projectId: ProjectId, id: number): Promise<StoredSchedule | undefined> {
    const row = await this.session.query('pipeline_schedules').where({ id, project_id: projectId }).first();
    return row && { ...toSchedule(row, this.session.dialect), ...toGiven(row) };
  }

  async add({ projectId, createdAt, ...schedule }: NewSchedule): Promise<number> {
    const { query, dialect } = this.session;
    const at = dialect.writeInstant(createdAt);
    const [row] = await query('pipeline_schedules')
      .insert({ ...this.#columns(schedule), project_id: projectId, created_at: at, updated_at: at } as never)
      .returning('id');
    return row!.id;
  }

  async change(id: number, change: ScheduleChange, at: Date): Promise<void> {
    const { query, dialect } = this.session;
    await query('pipeline_schedules')
      .where({ id })
      .update({ ...this.#columns(change), updated_at: dialect.writeInstant(at) });
  }

  async remove(id: number): Promise<void> {
    await this.session.query('pipeline_schedules').where({ id }).delete();
  }

  async takeRun(
    { id, nextRunAt, updatedAt }: Pick<PipelineSchedule, 'id' | 'nextRunAt' | 'updatedAt'>,
    after: AfterRun,
  ): Promise<boolean> {
    const { query, dialect } = this.session;
    const asRead = query('pipeline_schedules').where({
      id,
      next_run_at: writeInstantOrNull(dialect, nextRunAt),
      updated_at: dialect.writeInstant(updatedAt),
    });
    return (await asRead.update(this.#columns(after))) === 1;
  }

  async play({ id, updatedAt }: Pick<PipelineSchedule, 'id' | 'updatedAt'>, at: Date, since: Date): Promise<boolean> {
    const { query, dialect } = this.session;
    const rested = query('pipeline_schedules')
      .where({ id, updated_at: dialect.writeInstant(updatedAt) })
      .where((list) => {
        void list.whereNull('last_played_at').orWhere('last_played_at', '<=', dialect.writeInstant(since));
      });
    return (await rested.update({ last_played_at: dialect.writeInstant(at) })) === 1;
  }

  /** Of what isn't said nothing is written. */
  #columns(said: ScheduleChange): Partial<RowOf<'pipeline_schedules'>> {
    const { nextRunAt } = said;
    const columns = {
      owner_id: said.ownerId,
      description: said.description,
      ref: said.ref,
      tag: said.tag,
      cron: said.cron,
      cron_timezone: said.cronTimezone,
      active: said.active,
      next_run_at: nextRunAt === undefined ? undefined : writeInstantOrNull(this.session.dialect, nextRunAt),
      stopped_because: said.stoppedBecause,
      last_problem: said.lastProblem,
      sealed_variables: said.sealedVariables,
      inputs: said.inputs && writtenInputs(said.inputs),
    };
    return Object.fromEntries(Object.entries(columns).filter(([, value]) => value !== undefined));
  }
}
