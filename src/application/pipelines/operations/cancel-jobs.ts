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
  const jobs = await repositories.ciJobs.ofPipeline(pipeline.id);
  const alive = jobs.filter(({ status }) => isAlive(status)).map(({ id }) => id);
  await repositories.ciJobs.cancel(alive, happening.at);
  await cancelChildren(repositories, pipeline, happening);
};

/** Of a job that has failed, ends the others of its pipeline, where its file asks for that. What waits for somebody, such as to stop an environment, is left to them. */
export const cancelOthers = async (repositories: JobNeeds, job: CiJob, at: Date): Promise<void> => {
  const pipeline = await repositories.pipelines.find(job.pipelineId);
  if (pipeline?.failsAtOnce !== true) return;
  const others = await repositories.ciJobs.ofPipeline(pipeline.id);
  const ending = others.filter(({ status }) => isAlive(status) && status !== 'manual').map(({ id }) => id);
  await repositories.ciJobs.cancel(ending, at);
  await cancelChildren(repositories, pipeline, { by: job.userId ?? pipeline.userId, at });
};
