import { isPlayable, isRetryable, type CiJob } from '../../../domain/pipelines/ci-job.js';
import type { Environment } from '../../../domain/environments/environment.js';
import type { Pipeline } from '../../../domain/pipelines/pipeline.js';
import type { UserId } from '../../../domain/shared/identifiers.js';
import { runAgain } from '../../pipelines/operations/end-job.js';
import { enqueue, goOnWithPipeline, type JobNeeds } from '../../pipelines/operations/go-on-with-pipeline.js';
import type { EnvironmentRepositories } from '../ports/environment-ports.js';

export type StopNeeds = EnvironmentRepositories & JobNeeds;

/** A job that stops an environment, and its pipeline. */
export interface StopJob {
  readonly job: CiJob;
  readonly pipeline: Pipeline;
}

/** Of one job in its pipeline. */
const MOST_RUNS = 100;

/** The job that the job which was deployed last names as the one that undoes it (`on_stop`), where it can be run. */
export const stopJobOf = async (needs: StopNeeds, { id, projectId }: Environment): Promise<StopJob | undefined> => {
  const { deployments, ciJobs, pipelines } = needs;
  const last = await deployments.lastOf(id);
  const deployed = last?.jobId == null ? undefined : await ciJobs.find(last.jobId);
  const name = deployed?.definition.options.environment?.onStop;
  if (deployed === undefined || name == null || deployed.projectId !== projectId) return undefined;
  const named = (await ciJobs.standingsOf(deployed.pipelineId)).find((each) => each.name === name);
  const job = named && (await ciJobs.find(named.id));
  const pipeline = await pipelines.find(deployed.pipelineId);
  return job !== undefined && pipeline !== undefined && (await canRun(needs, job)) ? { job, pipeline } : undefined;
};

const canRun = async ({ ciJobs }: StopNeeds, job: CiJob): Promise<boolean> =>
  isPlayable(job) || (isRetryable(job) && (await ciJobs.runsOf(job.pipelineId, job.name)) < MOST_RUNS);

interface Stopping {
  /** In whose name its job runs. */
  readonly by: UserId;
  readonly at: Date;
  /** Undefined where nothing has to be run. */
  readonly stop: StopJob | undefined;
}

/** Ends an environment, or begins the job that does. The pipelines of its project are held, and nobody else changes it. */
export const stopEnvironment = async (
  repositories: StopNeeds,
  { id }: Environment,
  { by, at, stop }: Stopping,
): Promise<void> => {
  const { environments } = repositories;
  await environments.change(id, { state: stop === undefined ? 'stopped' : 'stopping', autoStopAt: null }, at);
  if (stop === undefined) return;
  await begin(repositories, stop.job, by, at);
  await goOnWithPipeline(repositories, stop.pipeline, { by, at });
};

const begin = async (repositories: StopNeeds, job: CiJob, by: UserId, at: Date): Promise<void> => {
  const { ciJobs } = repositories;
  if (!isPlayable(job)) return enqueue(ciJobs, [await runAgain(repositories, job, by, at)], at);
  await ciJobs.change(job.id, { userId: by });
  await enqueue(ciJobs, [job.id], at);
};
