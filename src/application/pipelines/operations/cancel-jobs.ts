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

/** Of a job that has failed, ends the others of its pipeline, where its file asks for that. */
export const cancelOthers = async (
  repositories: JobNeeds,
  { pipelineId }: Pick<CiJob, 'pipelineId'>,
  happening: Happening,
): Promise<void> => {
  const pipeline = await repositories.pipelines.find(pipelineId);
  if (pipeline?.failsAtOnce === true) await cancelJobs(repositories, pipeline, happening);
};
