import type {
  EnvironmentJob,
  EnvironmentJobRepository,
} from '../../../../../application/environments/ports/environment-ports.js';
import type { Session } from '../session.js';
import type { RowOf } from '../tables.js';

type JobRow = Pick<RowOf<'environment_jobs'>, 'job_id' | 'pipeline_id' | 'environment_id' | 'action'> &
  Pick<RowOf<'commit_statuses'>, 'status'>;

export class KnexEnvironmentJobRepository implements EnvironmentJobRepository {
  constructor(private readonly session: Session) {}

  async add({ jobId, pipelineId, environmentId, action, status }: EnvironmentJob): Promise<void> {
    await this.session
      .query('environment_jobs')
      .insert({ job_id: jobId, pipeline_id: pipelineId, environment_id: environmentId, action, status })
      .onConflict('job_id')
      .ignore();
  }

  async changedOf(pipelineId: number): Promise<readonly EnvironmentJob[]> {
    const { query } = this.session;
    const rows = (await query('environment_jobs')
      .join('commit_statuses', 'commit_statuses.id', 'environment_jobs.job_id')
      .where('environment_jobs.pipeline_id', pipelineId)
      .whereNot('environment_jobs.status', query.ref('commit_statuses.status'))
      .orderBy('environment_jobs.job_id')
      .select('environment_jobs.job_id', 'environment_jobs.pipeline_id', 'environment_jobs.environment_id')
      .select('environment_jobs.action', 'commit_statuses.status')) as JobRow[];
    return rows.map((row) => ({
      jobId: row.job_id,
      pipelineId: row.pipeline_id,
      environmentId: row.environment_id,
      action: row.action,
      status: row.status,
    }));
  }

  async seen(jobs: readonly Pick<EnvironmentJob, 'jobId' | 'status'>[]): Promise<void> {
    for (const status of new Set(jobs.map((job) => job.status))) {
      const ids = jobs.filter((job) => job.status === status).map(({ jobId }) => jobId);
      await this.session.query('environment_jobs').whereIn('job_id', ids).update({ status });
    }
  }
}
