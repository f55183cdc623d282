import type { GivenBySchedule } from '../../../../../application/pipelines/ports/schedule-ports.js';
import { isMap, jsonOf, valueOfJson, type CiMap } from '../../../../../domain/pipelines/ci-file/ci-value.js';
import type { PipelineSchedule } from '../../../../../domain/pipelines/pipeline-schedule.js';
import type { Dialect } from '../dialect/dialect.js';
import { readInstantOrNull } from '../dialect/nullable-instants.js';
import type { RowOf } from '../tables.js';

type Given = 'sealed_variables' | 'inputs';

/** Without what is given: that may be a megabyte. */
export type ScheduleRow = Omit<RowOf<'pipeline_schedules'>, Given>;

export const SCHEDULE_COLUMNS: readonly (keyof ScheduleRow)[] = [
  ...(['id', 'project_id', 'owner_id', 'description', 'ref', 'tag', 'cron', 'cron_timezone', 'active'] as const),
  ...(['next_run_at', 'stopped_because', 'last_problem', 'created_at', 'updated_at', 'last_played_at'] as const),
];

/** Of a schedule that is gone, nothing. */
export const toGiven = (row: Pick<RowOf<'pipeline_schedules'>, Given> | undefined): GivenBySchedule => {
  const inputs = row?.inputs == null ? undefined : valueOfJson(JSON.parse(row.inputs));
  return {
    sealedVariables: row?.sealed_variables ?? null,
    inputs: inputs !== undefined && isMap(inputs) ? inputs : new Map(),
  };
};

/** Nothing is null. */
export const writtenInputs = (inputs: CiMap): string | null =>
  inputs.size === 0 ? null : JSON.stringify(jsonOf(inputs));

export const toSchedule = (row: ScheduleRow, dialect: Dialect): PipelineSchedule => ({
  id: row.id,
  projectId: row.project_id,
  ownerId: row.owner_id,
  description: row.description,
  ref: row.ref,
  tag: Boolean(row.tag),
  cron: row.cron,
  cronTimezone: row.cron_timezone,
  active: Boolean(row.active),
  nextRunAt: readInstantOrNull(dialect, row.next_run_at),
  stoppedBecause: row.stopped_because,
  lastProblem: row.last_problem,
  createdAt: dialect.readInstant(row.created_at),
  updatedAt: dialect.readInstant(row.updated_at),
  lastPlayedAt: readInstantOrNull(dialect, row.last_played_at),
});
