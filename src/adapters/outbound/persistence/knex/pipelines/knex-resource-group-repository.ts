import type { ResourceGroupRepository } from '../../../../../application/pipelines/ports/resource-group-ports.js';
import { STATUSES_GOING_ON } from '../../../../../domain/pipelines/pipeline.js';
import { COMING, type ProcessMode, type SharingJob } from '../../../../../domain/pipelines/resource-group.js';
import type { ProjectId } from '../../../../../domain/shared/identifiers.js';
import type { Session } from '../session.js';
import { toSharingJob, type SharingRow } from './waiting-rows.js';

export class KnexResourceGroupRepository implements ResourceGroupRepository {
  constructor(private readonly session: Session) {}

  async ensure(projectId: ProjectId, keys: readonly string[], at: Date): Promise<void> {
    const { query, dialect } = this.session;
    const written = dialect.writeInstant(at);
    await query('ci_resource_groups')
      .insert(
        keys.map((key) => ({
          ...{ project_id: projectId, key, process_mode: 'unordered' as const },
          ...{ created_at: written, updated_at: written },
        })),
      )
      .onConflict(['project_id', 'key'])
      .ignore();
  }

  async modesOf(projectId: ProjectId, keys: readonly string[]): Promise<ReadonlyMap<string, ProcessMode>> {
    const rows = await this.session
      .query('ci_resource_groups')
      .where({ project_id: projectId })
      .whereIn('key', [...keys])
      .select('key', 'process_mode');
    return new Map(rows.map(({ key, process_mode: mode }) => [key, mode]));
  }

  async setMode(projectId: ProjectId, key: string, mode: ProcessMode, at: Date): Promise<boolean> {
    const { query, dialect } = this.session;
    const one = query('ci_resource_groups').where({ project_id: projectId, key });
    return (await one.update({ process_mode: mode, updated_at: dialect.writeInstant(at) })) === 1;
  }

  async comingTo(projectId: ProjectId, keys: readonly string[]): Promise<readonly SharingJob[]> {
    const rows = (await this.session
      .query('pipelines')
      .join('ci_jobs', 'ci_jobs.pipeline_id', 'pipelines.id')
      .join('commit_statuses', 'commit_statuses.id', 'ci_jobs.id')
      .where('pipelines.project_id', projectId)
      .whereIn('pipelines.status', [...STATUSES_GOING_ON])
      .whereIn('ci_jobs.resource_group', [...keys])
      .where('commit_statuses.latest', true)
      .whereIn('commit_statuses.status', [...COMING])
      .select('ci_jobs.id', 'ci_jobs.pipeline_id', 'ci_jobs.resource_group', 'ci_jobs.bridge')
      .select('commit_statuses.status')) as SharingRow[];
    return rows.map(toSharingJob);
  }
}
