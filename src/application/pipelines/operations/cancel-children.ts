import { isAlive } from '../../../domain/pipelines/ci-job.js';
import type { Pipeline } from '../../../domain/pipelines/pipeline.js';
import { goOnWithPipeline, type JobNeeds } from './go-on-with-pipeline.js';
import type { Happening } from './settle-pipeline.js';

/** Ends the parts of a pipeline whose jobs are canceled, and their parts. The pipelines of the project are held. */
export const cancelChildren = async (
  repositories: JobNeeds,
  { id }: Pick<Pipeline, 'id'>,
  happening: Happening,
): Promise<void> => {
  for (const child of await repositories.pipelines.childrenOf(id)) {
    const jobs = await repositories.ciJobs.ofPipeline(child.id);
    const alive = jobs.filter(({ status }) => isAlive(status)).map((job) => job.id);
    await repositories.ciJobs.cancel(alive, happening.at);
    await cancelChildren(repositories, child, happening);
    await goOnWithPipeline(repositories, child, happening);
  }
};
