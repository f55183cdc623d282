import type { BridgeReader, SeenPipeline } from '../../../../../application/pipelines/ports/bridge-ports.js';
import type { WorkspaceAccess } from '../../../../../application/workspace/workspace-access.js';
import { isBridge, type CiJob, type FailureReason } from '../../../../../domain/pipelines/ci-job.js';
import type { Pipeline } from '../../../../../domain/pipelines/pipeline.js';
import type { WebUrls } from '../../web-urls.js';
import type { PageContext } from '../page-context.js';
import { actorFor } from '../page-request.js';

export interface BridgePagesParts {
  readonly access: Pick<WorkspaceAccess, 'viewer'>;
  readonly bridgeReader: Pick<BridgeReader, 'downstreamsOf' | 'upstreamOf'>;
  readonly urls: WebUrls;
}

/** A pipeline of whichever project, for those who see it. */
interface LinkedPipeline {
  readonly iid: number;
  readonly project: string;
  readonly status: Pipeline['status'];
  readonly page: string;
}

const WHY: Partial<Record<FailureReason, string>> = {
  downstream_bridge_project_not_found:
    'There is no such project, or whoever the job runs for does not see it. The CI file names its path.',
  insufficient_bridge_permissions:
    'Whoever the job runs for may not start a pipeline of that branch there, or that project does not let in jobs of this one: its Maintainers decide.',
  downstream_pipeline_creation_failed:
    'No pipeline could be made: the branch or the CI file is missing, the file cannot be read or has no job for this, too many variables are given, or there is no room for more.',
  reached_max_descendant_pipelines_depth: 'Too many pipelines have started each other: this one starts no more.',
  user_blocked: 'Whoever the job runs for may not run it any more.',
  archived_failure: 'This project is archived: its jobs start nothing.',
  builds_disabled: 'CI is switched off in this project: its jobs start nothing.',
  stuck_or_timeout_failure: 'The pipeline was not started, or did not end, in time.',
};

const WAITING: Partial<Record<CiJob['status'], string>> = {
  created: 'The job waits for those before it.',
  manual: 'The job waits for somebody to run it.',
  scheduled: 'The job waits for its time.',
  waiting_for_resource: 'The job waits for its turn.',
  pending: 'The pipeline is about to be started.',
  running: 'The job ends as the pipeline does that it started.',
  success: 'The pipeline was started.',
  skipped: 'Nothing was started.',
  canceled: 'The job was canceled.',
};

/** What is told of a job that starts a pipeline in place of a log. */
export const sentenceOf = ({ status, failureReason }: Pick<CiJob, 'status' | 'failureReason'>): string =>
  WAITING[status] ?? (failureReason && WHY[failureReason]) ?? 'The pipeline that it started has not succeeded.';

const linkTo = ({ urls }: BridgePagesParts, { pipeline, projectPath }: SeenPipeline): LinkedPipeline => ({
  iid: pipeline.iid,
  project: projectPath,
  status: pipeline.status,
  page: urls.pipeline(projectPath, pipeline.id),
});

/** What those of some jobs that start pipelines have started, where the viewer may see it. */
export const downstreamsFor = async (
  parts: BridgePagesParts,
  { browser }: PageContext,
  jobs: readonly Pick<CiJob, 'id' | 'definition'>[],
): Promise<ReadonlyMap<number, LinkedPipeline>> => {
  const ids = jobs.filter(isBridge).map(({ id }) => id);
  const seen = await parts.bridgeReader.downstreamsOf(ids, parts.access.viewer(actorFor(browser)));
  return new Map([...seen].map(([id, each]) => [id, linkTo(parts, each)]));
};

/** Which pipeline started this one, where the viewer may see it. */
export const upstreamFor = async (
  parts: BridgePagesParts,
  { browser }: PageContext,
  pipeline: Pipeline,
): Promise<LinkedPipeline | undefined> => {
  const seen = await parts.bridgeReader.upstreamOf(pipeline, parts.access.viewer(actorFor(browser)));
  return seen && linkTo(parts, seen);
};
