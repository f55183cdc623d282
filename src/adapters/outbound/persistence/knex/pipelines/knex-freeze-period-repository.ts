import type { FreezePeriodRepository } from '../../../../../application/pipelines/ports/freeze-period-ports.js';
import type { FreezeFields, FreezePeriod } from '../../../../../domain/pipelines/freeze-period.js';
import type { ProjectId } from '../../../../../domain/shared/identifiers.js';
import type { Session } from '../session.js';
import { freezeColumns, toFreezePeriod } from './freeze-period-rows.js';

export class KnexFreezePeriodRepository implements FreezePeriodRepository {
  constructor(private readonly session: Session) {}

  async holdAndCount(projectId: ProjectId): Promise<number> {
    await this.session.hold(`freeze periods of ${projectId}`);
    const [row] = await this.session.query('freeze_periods').where({ project_id: projectId }).count({ all: '*' });
    return Number(row?.all);
  }

  async find(projectId: ProjectId, id: number): Promise<FreezePeriod | undefined> {
    const row = await this.session.query('freeze_periods').where({ id, project_id: projectId }).first();
    return row && toFreezePeriod(row, this.session.dialect);
  }

  async add(projectId: ProjectId, fields: FreezeFields, at: Date): Promise<number> {
    const { query, dialect } = this.session;
    const written = dialect.writeInstant(at);
    const [row] = await query('freeze_periods')
      .insert({ ...freezeColumns(fields), project_id: projectId, created_at: written, updated_at: written })
      .returning('id');
    return row!.id;
  }

  async change(id: number, fields: FreezeFields, at: Date): Promise<void> {
    const { query, dialect } = this.session;
    await query('freeze_periods')
      .where({ id })
      .update({ ...freezeColumns(fields), updated_at: dialect.writeInstant(at) });
  }

  async remove(projectId: ProjectId, id: number): Promise<boolean> {
    return (await this.session.query('freeze_periods').where({ id, project_id: projectId }).delete()) === 1;
  }
}
