import type { CiJob } from '../../../domain/pipelines/ci-job.js';
import type { CheckStatus } from '../../../domain/pipelines/commit-status.js';
import type { Pipeline } from '../../../domain/pipelines/pipeline.js';
import { Forbidden } from '../../../domain/shared/domain-error.js';
import type { UserId } from '../../../domain/shared/identifiers.js';
import type { UnitOfWork } from '../../shared/unit-of-work.js';
import type { QueuedJob } from '../ports/ci-job-ports.js';
import { endJob, type JobEnd } from './end-job.js';
import { goOnWithPipeline, type JobNeeds } from './go-on-with-pipeline.js';

/** A job isn't this runner's any more: it has ended, or was never given to it. */
export class NotRunning extends Forbidden {
  constructor(readonly status: CheckStatus) {
    super('Job is not running');
  }
}

/** A job as it is now, while the pipelines of its project are held. @throws NotRunning for one that is gone. */
export const whileJobHeld = (
  unitOfWork: UnitOfWork<JobNeeds>,
  { id, projectId }: QueuedJob,
  work: (repositories: JobNeeds, job: CiJob, pipeline: Pipeline) => Promise<void>,
): Promise<void> =>
  unitOfWork.execute(async (repositories) => {
    await repositories.pipelines.hold(projectId);
    const job = await repositories.ciJobs.find(id);
    const pipeline = job && (await repositories.pipelines.find(job.pipelineId));
    if (job === undefined || pipeline === undefined) throw new NotRunning('canceled');
    await work(repositories, job, pipeline);
  });

/** Ends a job that is held, and goes on with its pipeline. */
export const endHeldJob = async (repositories: JobNeeds, job: CiJob, end: JobEnd, at: Date): Promise<void> => {
  await endJob(repositories, job, end, at);
  const pipeline = await repositories.pipelines.find(job.pipelineId);
  if (pipeline !== undefined) await goOnWithPipeline(repositories, pipeline, { by: byOf(job, pipeline), at });
};

/** In whose name something of a job happens. */
export const byOf = ({ userId }: CiJob, pipeline: Pipeline): UserId | null => userId ?? pipeline.userId;
