import type { CiJob } from '../../../domain/pipelines/ci-job.js';
import type { Pipeline } from '../../../domain/pipelines/pipeline.js';
import type { Viewer } from '../../workspace/ports/workspace-readers.js';

/** A pipeline where somebody sees it. */
export interface SeenPipeline {
  readonly pipeline: Pipeline;
  /** The full path of its project. */
  readonly projectPath: string;
}

/** A pipeline with what leads to the one that came before it. */
export type Linked = Pick<Pipeline, 'id' | 'bridgeId' | 'source'>;

/** What is on the other end of jobs that start pipelines, as far as somebody may see pipelines there. */
export interface BridgeReader {
  /** What each of these jobs started. */
  downstreamsOf(bridgeIds: readonly number[], viewer: Viewer): Promise<ReadonlyMap<number, SeenPipeline>>;
  /** The pipeline of the job that started one. */
  upstreamOf(pipeline: Pick<Pipeline, 'bridgeId'>, viewer: Viewer): Promise<SeenPipeline | undefined>;
  /** How many of the pipelines that came before one, each part of the one before, counted no further than `most`. */
  childLevelOf(pipeline: Pick<Pipeline, 'bridgeId' | 'source'>, most: number): Promise<number>;
  /** The first of the pipelines that came before one, each part of the one before, or itself; looked for no further than `most`. */
  rootOf(pipeline: Linked, most: number): Promise<number>;
  /** The first of those that came before one, in whatever project, or itself; looked for no further than `most`. One that is gone ends the search. */
  beginningOf(pipeline: Linked, most: number): Promise<Linked>;
  /** Jobs that wait for a pipeline that has ended, or is gone. */
  waitingInVain(limit: number): Promise<readonly Pick<CiJob, 'id' | 'projectId'>[]>;
}
