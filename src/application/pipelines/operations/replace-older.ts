import { isAlive, mayBeReplaced } from '../../../domain/pipelines/ci-job.js';
import type { Pipeline } from '../../../domain/pipelines/pipeline.js';
import { goOnWithPipeline, type JobNeeds } from './go-on-with-pipeline.js';
import type { Happening } from './settle-pipeline.js';

/** Of one branch there are seldom more: those that are older still have ended, or are left alone. */
const MOST_REPLACED = 10;

/** Ends pipelines that older pushes of the same branch made, where nothing has begun that must not be interrupted. They are held. */
export const replaceOlder = async (repositories: JobNeeds, pipeline: Pipeline, happening: Happening): Promise<void> => {
  for (const older of await repositories.pipelines.olderOfBranch(pipeline, MOST_REPLACED)) {
    const jobs = await repositories.ciJobs.ofPipeline(older.id);
    if (!mayBeReplaced(jobs)) continue;
    const alive = jobs.filter(({ status }) => isAlive(status)).map(({ id }) => id);
    await repositories.ciJobs.cancel(alive, happening.at);
    await goOnWithPipeline(repositories, older, happening);
  }
};
