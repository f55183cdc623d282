import type { BridgeReader, Linked, SeenPipeline } from '../../../../../application/pipelines/ports/bridge-ports.js';
import type { Viewer } from '../../../../../application/workspace/ports/workspace-readers.js';
import type { CiJob } from '../../../../../domain/pipelines/ci-job.js';
import { CHILD, ENDED_STATUSES, type Pipeline } from '../../../../../domain/pipelines/pipeline.js';
import type { Session } from '../session.js';
import type { RowOf } from '../tables.js';
import { visibleProjects, wherePermitted } from '../visibility/visible.js';
import { PIPELINE_COLUMNS, toPipeline, type PipelineRow } from './pipeline-rows.js';

const PIPELINE = PIPELINE_COLUMNS.map((column) => `pipelines.${column}`);

type SeenRow = PipelineRow & { readonly project_path: string };

export class KnexBridgeReader implements BridgeReader {
  constructor(private readonly session: Session) {}

  async downstreamsOf(bridgeIds: readonly number[], viewer: Viewer): Promise<ReadonlyMap<number, SeenPipeline>> {
    if (bridgeIds.length === 0) return new Map();
    const rows = (await this.#seenBy(viewer).whereIn('pipelines.bridge_id', [...bridgeIds])) as SeenRow[];
    return new Map(rows.map((row) => [row.bridge_id!, this.#toSeen(row)]));
  }

  async upstreamOf({ bridgeId }: Pick<Pipeline, 'bridgeId'>, viewer: Viewer): Promise<SeenPipeline | undefined> {
    if (bridgeId === null) return undefined;
    const ofBridge = this.session.query('ci_jobs').where({ id: bridgeId }).select('pipeline_id');
    const [row] = (await this.#seenBy(viewer).whereIn('pipelines.id', ofBridge)) as SeenRow[];
    return row && this.#toSeen(row);
  }

  async childLevelOf(pipeline: Pick<Pipeline, 'bridgeId' | 'source'>, most: number): Promise<number> {
    let level = 0;
    let at: Pick<Pipeline, 'bridgeId' | 'source'> | undefined = pipeline;
    while (at?.source === CHILD && level < most) {
      level += 1;
      at = await this.#before(at);
    }
    return level;
  }

  async rootOf(pipeline: Linked, most: number): Promise<number> {
    return (await this.#firstOf(pipeline, most, ({ source }) => source === CHILD)).id;
  }

  beginningOf(pipeline: Linked, most: number): Promise<Linked> {
    return this.#firstOf(pipeline, most, ({ bridgeId }) => bridgeId !== null);
  }

  async #firstOf(pipeline: Linked, most: number, goesOn: (at: Linked) => boolean): Promise<Linked> {
    let first = pipeline;
    for (let level = 0; goesOn(first) && level < most; level += 1) {
      const before = await this.#before(first);
      if (before === undefined) break;
      first = before;
    }
    return first;
  }

  /** The pipeline of the job that started one; undefined where that is gone. */
  async #before({ bridgeId }: Pick<Pipeline, 'bridgeId'>): Promise<Linked | undefined> {
    const { query } = this.session;
    const ofBridge = query('ci_jobs').where({ id: bridgeId ?? 0 });
    const row = await query('pipelines')
      .whereIn('id', ofBridge.select('pipeline_id'))
      .first('id', 'bridge_id', 'source');
    return row && { id: row.id, bridgeId: row.bridge_id, source: row.source };
  }

  async waitingInVain(limit: number): Promise<readonly Pick<CiJob, 'id' | 'projectId'>[]> {
    const { query } = this.session;
    const goesOn = query('pipelines')
      .where('pipelines.bridge_id', query.ref('ci_jobs.id'))
      .whereNotIn('pipelines.status', [...ENDED_STATUSES]);
    const rows = (await query('ci_jobs')
      .join('commit_statuses', 'commit_statuses.id', 'ci_jobs.id')
      .whereNotNull('ci_jobs.bridge')
      .whereNotNull('ci_jobs.gives_up_at')
      .where('commit_statuses.status', 'running')
      .whereNotExists(goesOn.select('pipelines.id'))
      .orderBy('ci_jobs.id')
      .limit(limit)
      .select('ci_jobs.id', 'ci_jobs.project_id')) as Pick<RowOf<'ci_jobs'>, 'id' | 'project_id'>[];
    return rows.map((row) => ({ id: row.id, projectId: row.project_id }));
  }

  #seenBy(viewer: Viewer) {
    const seen = visibleProjects(this.session.query, viewer, (list) =>
      list.from('pipelines').join('projects', 'projects.id', 'pipelines.project_id'),
    );
    return wherePermitted(seen, viewer, 'read_pipelines')
      .select(PIPELINE)
      .select({ project_path: 'projects.full_path' });
  }

  #toSeen(row: SeenRow): SeenPipeline {
    return { pipeline: toPipeline(row, this.session.dialect), projectPath: row.project_path };
  }
}
