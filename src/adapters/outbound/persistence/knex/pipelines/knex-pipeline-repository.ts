import type {
  MergeRequestOfPipeline,
  NewestOfBranch,
  NewPipeline,
  PipelineRepository,
  PipelineStanding,
} from '../../../../../application/pipelines/ports/pipeline-ports.js';
import {
  CHILD,
  ENDED_STATUSES,
  COUNTED_SOURCES,
  STATUSES_GOING_ON,
  type Pipeline,
  type PipelineStatus,
} from '../../../../../domain/pipelines/pipeline.js';
import type { ObjectId } from '../../../../../domain/repositories/object-id.js';
import type { ProjectId } from '../../../../../domain/shared/identifiers.js';
import { countUpTo } from '../count-up-to.js';
import type { Dialect } from '../dialect/dialect.js';
import type { Session } from '../session.js';
import { nextNumber } from '../shared/project-counter.js';
import { PIPELINE_COLUMNS, toPipeline, type PipelineRow } from './pipeline-rows.js';

const writeOrNull = (dialect: Dialect, at: Date | null) => (at === null ? null : dialect.writeInstant(at));

const ofMergeRequest = ({ mergeRequest }: NewPipeline) => ({
  merge_request_id: mergeRequest?.id ?? null,
  source_branch: mergeRequest?.sourceBranch ?? null,
  target_branch: mergeRequest?.targetBranch ?? null,
});

export class KnexPipelineRepository implements PipelineRepository {
  constructor(private readonly session: Session) {}

  /** In one order, so that of two who hold the same several each gets them all. */
  async hold(...projectIds: readonly ProjectId[]): Promise<void> {
    for (const id of [...new Set(projectIds)].sort((one, other) => one - other))
      await this.session.hold(`pipelines of ${id}`);
  }

  async find(id: number): Promise<Pipeline | undefined> {
    const row = (await this.session
      .query('pipelines')
      .where({ id })
      .first(...PIPELINE_COLUMNS)) as PipelineRow | undefined;
    return row && toPipeline(row, this.session.dialect);
  }

  async ofBridge(bridgeId: number): Promise<Pipeline | undefined> {
    const row = (await this.session
      .query('pipelines')
      .where({ bridge_id: bridgeId })
      .first(...PIPELINE_COLUMNS)) as PipelineRow | undefined;
    return row && toPipeline(row, this.session.dialect);
  }

  async childrenOf(pipelineId: number): Promise<readonly Pipeline[]> {
    const { query, dialect } = this.session;
    const bridges = query('ci_jobs').where({ pipeline_id: pipelineId }).whereNotNull('bridge').select('id');
    const rows = (await query('pipelines')
      .whereIn('bridge_id', bridges)
      .where({ source: CHILD })
      .whereNotIn('status', [...ENDED_STATUSES])
      .orderBy('id')
      .select(...PIPELINE_COLUMNS)) as PipelineRow[];
    return rows.map((row) => toPipeline(row, dialect));
  }

  async newest(projectId: ProjectId, sha: ObjectId, ref: string | undefined): Promise<Pipeline | undefined> {
    const row = (await this.session
      .query('pipelines')
      .where({ project_id: projectId, sha, source_branch: null, ...(ref === undefined ? {} : { ref }) })
      .whereNot({ source: CHILD })
      .orderBy('id', 'desc')
      .first(...PIPELINE_COLUMNS)) as PipelineRow | undefined;
    return row && toPipeline(row, this.session.dialect);
  }

  async ofMergeRequest({ id, targetBranch }: MergeRequestOfPipeline, sha: ObjectId): Promise<Pipeline | undefined> {
    const row = (await this.session
      .query('pipelines')
      .where({ merge_request_id: id, sha, target_branch: targetBranch })
      .whereNot({ source: CHILD })
      .orderBy('id', 'desc')
      .first(...PIPELINE_COLUMNS)) as PipelineRow | undefined;
    return row && toPipeline(row, this.session.dialect);
  }

  async endedBefore({ projectId, ref, mergeRequestId, id }: Pipeline): Promise<PipelineStatus | undefined> {
    const row = await this.session
      .query('pipelines')
      .where({ project_id: projectId, ref, merge_request_id: mergeRequestId })
      .where('id', '<', id)
      .whereNotNull('told')
      .orderBy('id', 'desc')
      .first('told');
    return row?.told ?? undefined;
  }

  async olderOfBranch(
    { projectId, ref, source, mergeRequestId, sha }: NewestOfBranch,
    limit: number,
  ): Promise<readonly Pipeline[]> {
    const { query } = this.session;
    const goesOn = query('ci_jobs')
      .where('ci_jobs.pipeline_id', query.ref('pipelines.id'))
      .where(
        (awaited) =>
          void awaited.whereNotNull('gives_up_at').orWhereNotNull('resource_since').orWhereNotNull('begins_at'),
      );
    const rows = (await query('pipelines')
      .where({ project_id: projectId, ref, tag: false, source, merge_request_id: mergeRequestId })
      .whereIn('status', [...STATUSES_GOING_ON])
      .whereNot({ sha })
      .whereExists(goesOn)
      .orderBy('id', 'desc')
      .limit(limit)
      .select(...PIPELINE_COLUMNS)) as PipelineRow[];
    return rows.map((row) => toPipeline(row, this.session.dialect));
  }

  countOf(projectId: ProjectId, sha: ObjectId, most: number): Promise<number> {
    const { query } = this.session;
    const counted = query('pipelines')
      .where({ project_id: projectId, sha })
      .whereIn('source', [...COUNTED_SOURCES]);
    return countUpTo(this.session, counted.select('id'), most);
  }

  async add(pipeline: NewPipeline): Promise<Pipeline> {
    const { query, dialect } = this.session;
    const at = dialect.writeInstant(pipeline.createdAt);
    const [row] = (await query('pipelines')
      .insert({
        project_id: pipeline.projectId,
        iid: await nextNumber(this.session, pipeline.projectId, 'pipeline'),
        sha: pipeline.sha,
        ref: pipeline.ref,
        tag: pipeline.tag,
        source: pipeline.source,
        status: 'created',
        user_id: pipeline.userId,
        before_sha: pipeline.beforeSha ?? null,
        yaml_errors: pipeline.yamlErrors ?? null,
        config_path: pipeline.configPath ?? null,
        ...ofMergeRequest(pipeline),
        sealed_variables: pipeline.sealedVariables ?? null,
        schedule_id: pipeline.scheduleId ?? null,
        bridge_id: pipeline.bridgeId ?? null,
        depth: pipeline.depth ?? 0,
        name: pipeline.name ?? null,
        on_job_failure: pipeline.failsAtOnce === true ? 'all' : null,
        created_at: at,
        updated_at: at,
      })
      .returning([...PIPELINE_COLUMNS])) as PipelineRow[];
    return toPipeline(row!, dialect);
  }

  async rename(id: number, name: string): Promise<void> {
    await this.session.query('pipelines').where({ id }).update({ name });
  }

  async saveStanding(id: number, { status, updatedAt, startedAt, finishedAt, told }: PipelineStanding): Promise<void> {
    const { query, dialect } = this.session;
    await query('pipelines')
      .where({ id })
      .update({
        status,
        updated_at: dialect.writeInstant(updatedAt),
        started_at: writeOrNull(dialect, startedAt),
        finished_at: writeOrNull(dialect, finishedAt),
        told,
      });
  }

  async oldestOf(projectId: ProjectId, limit: number): Promise<readonly number[]> {
    const found = await this.session
      .query('pipelines')
      .where({ project_id: projectId })
      .orderBy('id')
      .limit(limit)
      .select('id');
    return found.map(({ id }) => id);
  }

  async remove(ids: readonly number[]): Promise<void> {
    await this.session
      .query('pipelines')
      .whereIn('id', [...ids])
      .delete();
  }
}
