import type { CodeStateReader, RefOfProject } from '../../../../../application/badges/ports/code-states.js';
import { CHILD, type PipelineStatus } from '../../../../../domain/pipelines/pipeline.js';
import type { Session } from '../session.js';

export class KnexCodeStateReader implements CodeStateReader {
  constructor(private readonly session: Session) {}

  async pipelineStatus(of: RefOfProject, skipped: 'counted' | 'ignored'): Promise<PipelineStatus | undefined> {
    const newest = this.#newest(of);
    if (skipped === 'ignored') void newest.whereNot({ status: 'skipped' });
    return (await newest.first('status'))?.status;
  }

  async coverage(of: RefOfProject, job: string | undefined): Promise<number | undefined> {
    const { query } = this.session;
    const newest = this.#newest(of).where({ status: 'success' }).limit(1).select('id');
    const checks = query('commit_statuses').where({ latest: true }).whereIn('pipeline_id', newest);
    if (job !== undefined) void checks.where({ name: job });
    const [row] = await checks.avg<{ mean: number | string | null }[]>({ mean: 'coverage' });
    return row?.mean == null ? undefined : Math.round(Number(row.mean));
  }

  /** Those that are parts of others stand for nothing beside their ref. */
  #newest({ projectId, ref }: RefOfProject) {
    return this.session
      .query('pipelines')
      .where({ project_id: projectId, ref })
      .whereNot({ source: CHILD })
      .orderBy('id', 'desc');
  }
}
