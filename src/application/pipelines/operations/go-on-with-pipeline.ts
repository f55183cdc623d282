import { nextStatuses } from '../../../domain/pipelines/job-processing.js';
import type { Pipeline } from '../../../domain/pipelines/pipeline.js';
import type { DomainEvents } from '../../shared/domain-events.js';
import type { CiRepositories } from '../ports/ci-job-ports.js';
import type { PipelineRepositories } from '../ports/pipeline-ports.js';
import { settlePipeline, type Happening } from './settle-pipeline.js';

export type JobNeeds = PipelineRepositories & CiRepositories & { readonly events: DomainEvents };

/** So long a job waits for a runner. */
const WAITS_MS = 86_400_000;

/** From now on they wait for a runner. */
export const enqueue = (ciJobs: JobNeeds['ciJobs'], ids: readonly number[], at: Date): Promise<void> =>
  ciJobs.enqueue(ids, at, new Date(at.getTime() + WAITS_MS));

/** Begins what may begin of a pipeline, once one of its jobs stands otherwise, and finds out how it stands itself. It is held. */
export const goOnWithPipeline = async (
  repositories: JobNeeds,
  pipeline: Pipeline,
  happening: Happening,
): Promise<Pipeline> => {
  const { ciJobs, events } = repositories;
  const next = [...nextStatuses(await ciJobs.standingsOf(pipeline.id))];
  const becoming = (status: string): readonly number[] => next.flatMap(([id, to]) => (to === status ? [id] : []));
  const [pending, manual, skipped] = [becoming('pending'), becoming('manual'), becoming('skipped')];
  const { by, at } = happening;
  if (pending.length > 0) await enqueue(ciJobs, pending, at);
  if (manual.length > 0) await ciJobs.setStatus(manual, 'manual');
  if (skipped.length > 0) await ciJobs.setStatus(skipped, 'skipped');
  await events.publish({ kind: 'jobs_changed', pipelineId: pipeline.id, projectId: pipeline.projectId, by, at });
  return settlePipeline(repositories, pipeline, happening);
};
