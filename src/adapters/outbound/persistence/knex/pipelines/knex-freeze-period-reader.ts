import type { FreezePeriodReader } from '../../../../../application/pipelines/ports/freeze-period-ports.js';
import type { FreezePeriod } from '../../../../../domain/pipelines/freeze-period.js';
import type { ProjectId } from '../../../../../domain/shared/identifiers.js';
import type { Page, PageRequest } from '../../../../../domain/shared/page.js';
import { pageOfRows } from '../page-of-rows.js';
import type { Session } from '../session.js';
import type { RowOf } from '../tables.js';
import { toFreezePeriod } from './freeze-period-rows.js';

export class KnexFreezePeriodReader implements FreezePeriodReader {
  constructor(private readonly session: Session) {}

  list(projectId: ProjectId, page: PageRequest): Promise<Page<FreezePeriod>> {
    return pageOfRows(this.session, this.#of(projectId), page, (row: RowOf<'freeze_periods'>) => this.#read(row));
  }

  async all(projectId: ProjectId): Promise<readonly FreezePeriod[]> {
    return (await this.#of(projectId)).map((row) => this.#read(row));
  }

  async find(projectId: ProjectId, id: number): Promise<FreezePeriod | undefined> {
    const row = await this.session.query('freeze_periods').where({ id, project_id: projectId }).first();
    return row && this.#read(row);
  }

  #of(projectId: ProjectId) {
    return this.session.query('freeze_periods').where({ project_id: projectId }).orderBy('id').select('*');
  }

  #read(row: RowOf<'freeze_periods'>): FreezePeriod {
    return toFreezePeriod(row, this.session.dialect);
  }
}
