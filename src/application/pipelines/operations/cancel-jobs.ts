import { isAlive, type CiJob } from '../../../domain/pipelines/ci-job.js';
import type { Pipeline } from '../../../domain/pipelines/pipeline.js';
import { goOnWithPipeline, type JobNeeds } from './go-on-with-pipeline.js';
import type { Happening } from './settle-pipeline.js';

/** Ends the parts of a pipeline whose jobs are canceled, and their parts. The pipelines of the project are held. */
const cancelChildren = async (
  repositories: JobNeeds,
  { id }: Pick<Pipeline, 'id'>,
  happening: Happening,
): Promise<void> => {
  for (const child of await repositories.pipelines.childrenOf(id)) {
    await cancelJobs(repositories, child, happening);
    await goOnWithPipeline(repositories, child, happening);
  }
};

/** Ends what waits and runs of a pipeline, with its parts. The pipelines of the project are held. */
export const cancelJobs = async (
  repositories: JobNeeds,
  pipeline: Pick<Pipeline, 'id'>,
  happening: Happening,
): Promise<void> => {
  await cancelWhere(repositories, pipeline, happening, ({ status }) => isAlive(status));
};

/**
 * Of a job that has failed, ends the others of its pipeline, with its parts, where its file asks for that. What waits for somebody in that
 * pipeline, such as to stop an environment, is left to them.
 */
export const cancelOthers = async (repositories: JobNeeds, job: CiJob, at: Date): Promise<void> => {
  const pipeline = await repositories.pipelines.find(job.pipelineId);
  if (pipeline?.failsAtOnce !== true) return;
  const happening = { by: job.userId ?? pipeline.userId, at };
  await cancelWhere(repositories, pipeline, happening, ({ status }) => isAlive(status) && status !== 'manual');
};

const cancelWhere = async (
  repositories: JobNeeds,
  pipeline: Pick<Pipeline, 'id'>,
  happening: Happening,
  isMeant: (job: CiJob) => boolean,
): Promise<void> => {
  const jobs = await repositories.ciJobs.ofPipeline(pipeline.id);
  await repositories.ciJobs.cancel(
    jobs.filter(isMeant).map(({ id }) => id),
    happening.at,
  );
  await cancelChildren(repositories, pipeline, happening);
};
