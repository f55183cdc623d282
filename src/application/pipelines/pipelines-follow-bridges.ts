import { hasEnded } from '../../domain/pipelines/pipeline.js';
import type { CodeWorkRepository } from '../repositories/ports/repository-repositories.js';
import type { PipelineEvent } from '../shared/ci-events.js';
import type { DomainEvent, Subscriber } from '../shared/domain-events.js';
import type { CiRepositories } from './ports/ci-job-ports.js';

interface Needs {
  readonly ciJobs: Pick<CiRepositories['ciJobs'], 'find'>;
  readonly codeWorks: CodeWorkRepository;
}

/** Asks for what jobs start to be started, once their turn has come: it may be of another project, whose pipelines may not be held with theirs. */
export const pipelinesFollowBridges: Subscriber<Pick<Needs, 'codeWorks'>> = async (event, { codeWorks }) => {
  if (event.kind !== 'bridges_begun') return;
  for (const { id: jobId, projectId, userId } of event.bridges)
    await codeWorks.add({ kind: 'start_downstream', projectId, userId, payload: { jobId } }, event.at);
};

type Followed = Exclude<PipelineEvent, { readonly kind: 'pipeline_ended' }>;

/** Whether it has ended, ends no more, or is gone. */
const isFollowed = (event: DomainEvent): event is Followed =>
  event.kind === 'pipeline_removed' ||
  (event.kind === 'pipeline_changed' && (hasEnded(event.pipeline.status) || hasEnded(event.from)));

/** Asks for jobs to be looked at that wait for the pipelines that they started. */
export const bridgesFollowPipelines: Subscriber<Needs> = async (event, { ciJobs, codeWorks }) => {
  if (!isFollowed(event) || event.pipeline.bridgeId === null) return;
  const job = await ciJobs.find(event.pipeline.bridgeId);
  const userId = event.kind === 'pipeline_changed' ? event.by : (job?.userId ?? null);
  if (job?.definition.trigger?.depends !== true || userId === null) return;
  const from = event.kind === 'pipeline_changed' ? event.from : event.pipeline.status;
  const { projectId, id: jobId } = job;
  await codeWorks.add({ kind: 'follow_downstream', projectId, userId, payload: { jobId, from } }, event.at);
};
