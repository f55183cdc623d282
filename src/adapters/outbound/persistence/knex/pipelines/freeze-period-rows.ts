import type { FreezeFields, FreezePeriod } from '../../../../../domain/pipelines/freeze-period.js';
import type { Session } from '../session.js';
import type { RowOf } from '../tables.js';

export const toFreezePeriod = (row: RowOf<'freeze_periods'>, dialect: Session['dialect']): FreezePeriod => ({
  id: row.id,
  projectId: row.project_id,
  freezeStart: row.freeze_start,
  freezeEnd: row.freeze_end,
  cronTimezone: row.cron_timezone,
  createdAt: dialect.readInstant(row.created_at),
  updatedAt: dialect.readInstant(row.updated_at),
});

export const freezeColumns = ({ freezeStart, freezeEnd, cronTimezone }: FreezeFields) => ({
  freeze_start: freezeStart,
  freeze_end: freezeEnd,
  cron_timezone: cronTimezone,
});
