import type { ResourceGroupReader } from '../../../../../application/pipelines/ports/resource-group-ports.js';
import { STATUSES_GOING_ON } from '../../../../../domain/pipelines/pipeline.js';
import { COMING, type ResourceGroup } from '../../../../../domain/pipelines/resource-group.js';
import type { ProjectId } from '../../../../../domain/shared/identifiers.js';
import type { Page, PageRequest } from '../../../../../domain/shared/page.js';
import { pageOfRows } from '../page-of-rows.js';
import type { Session } from '../session.js';
import type { RowOf } from '../tables.js';

type Row = RowOf<'ci_resource_groups'>;

export class KnexResourceGroupReader implements ResourceGroupReader {
  constructor(private readonly session: Session) {}

  list(projectId: ProjectId, page: PageRequest): Promise<Page<ResourceGroup>> {
    const list = this.session.query('ci_resource_groups').where({ project_id: projectId }).orderBy('id').select('*');
    return pageOfRows(this.session, list, page, (row: Row) => this.#read(row));
  }

  async find(projectId: ProjectId, key: string): Promise<ResourceGroup | undefined> {
    const row = await this.session.query('ci_resource_groups').where({ project_id: projectId, key }).first();
    return row && this.#read(row);
  }

  upcoming(projectId: ProjectId, { key, processMode }: ResourceGroup, page: PageRequest): Promise<Page<number>> {
    const { query } = this.session;
    const jobs = query('ci_jobs')
      .join('commit_statuses', 'commit_statuses.id', 'ci_jobs.id')
      .where('ci_jobs.project_id', projectId)
      .where('ci_jobs.resource_group', key)
      .select('ci_jobs.id');
    if (processMode === 'unordered') {
      const waiting = jobs
        .whereNotNull('ci_jobs.resource_since')
        .where('commit_statuses.status', 'waiting_for_resource')
        .orderBy(['ci_jobs.resource_since', 'ci_jobs.id']);
      return pageOfRows(this.session, waiting, page, ({ id }: Pick<Row, 'id'>) => id);
    }
    const coming = jobs
      .join('pipelines', 'pipelines.id', 'ci_jobs.pipeline_id')
      .where('pipelines.project_id', projectId)
      .whereIn('pipelines.status', [...STATUSES_GOING_ON])
      .where('commit_statuses.latest', true)
      .whereIn('commit_statuses.status', ['waiting_for_resource', ...COMING])
      .orderBy('ci_jobs.pipeline_id', processMode === 'oldest_first' ? 'asc' : 'desc')
      .orderByRaw("case when commit_statuses.status = 'waiting_for_resource' then 0 else 1 end")
      .orderBy('ci_jobs.id');
    return pageOfRows(this.session, coming, page, ({ id }: Pick<Row, 'id'>) => id);
  }

  #read(row: Row): ResourceGroup {
    const { dialect } = this.session;
    return {
      id: row.id,
      key: row.key,
      processMode: row.process_mode,
      createdAt: dialect.readInstant(row.created_at),
      updatedAt: dialect.readInstant(row.updated_at),
    };
  }
}
