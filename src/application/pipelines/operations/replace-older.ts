import { isAlive, mayBeReplaced, type CiJob } from '../../../domain/pipelines/ci-job.js';
import type { Replaces } from '../../../domain/pipelines/ci-file/ci-config.js';
import { goOnWithPipeline, type JobNeeds } from './go-on-with-pipeline.js';
import type { Pipeline } from '../../../domain/pipelines/pipeline.js';
import type { NewestOfBranch } from '../ports/pipeline-ports.js';
import type { Happening } from './settle-pipeline.js';

/** Of one branch there are seldom more: those that are older still have ended, or are left alone. */
const MOST_REPLACED = 10;

/**
 * Ends pipelines that older pushes of a branch made, for it or for a merge request, or of their jobs those that may be interrupted. They are held.
 * @param newest what is made now.
 */
export const replaceOlder = async (
  repositories: JobNeeds,
  newest: NewestOfBranch,
  replaces: Exclude<Replaces, 'none'>,
  happening: Happening,
): Promise<void> => {
  for (const older of await repositories.pipelines.olderOfBranch(newest, MOST_REPLACED))
    await replace(repositories, older, replaces, happening);
};

/** With its parts. What began, and is to run once more, counts too. */
const replace = async (
  repositories: JobNeeds,
  older: Pipeline,
  replaces: Exclude<Replaces, 'none'>,
  happening: Happening,
): Promise<void> => {
  const jobs = await repositories.ciJobs.ofPipeline(older.id, 'every run');
  const ends = replaces === 'interruptible' ? (job: CiJob) => job.definition.interruptible : () => mayBeReplaced(jobs);
  const ended = jobs.filter((job) => isAlive(job.status) && ends(job)).map(({ id }) => id);
  if (ended.length === 0) return;
  await repositories.ciJobs.cancel(ended, happening.at);
  for (const child of await repositories.pipelines.childrenOf(older.id))
    await replace(repositories, child, replaces, happening);
  await goOnWithPipeline(repositories, older, happening);
};
