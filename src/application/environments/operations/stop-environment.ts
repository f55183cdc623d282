import { isPlayable, isRetryable, type CiJob } from '../../../domain/pipelines/ci-job.js';
import type { CheckStatus } from '../../../domain/pipelines/commit-status.js';
import type { Environment } from '../../../domain/environments/environment.js';
import type { Pipeline } from '../../../domain/pipelines/pipeline.js';
import type { UserId } from '../../../domain/shared/identifiers.js';
import { runAgain } from '../../pipelines/operations/end-job.js';
import {
  beginJobs,
  beginning,
  goOnWithPipeline,
  type JobNeeds,
} from '../../pipelines/operations/go-on-with-pipeline.js';
import type { EnvironmentRepositories } from '../ports/environment-ports.js';

export type StopNeeds = EnvironmentRepositories & JobNeeds;

/** A job that stops an environment, and its pipeline. */
export interface StopJob {
  readonly job: CiJob;
  readonly pipeline: Pipeline;
  /** Whether it waits or runs already. */
  readonly begun: boolean;
}

/** Of one job in its pipeline. */
const MOST_RUNS = 100;

/**
 * The job that the job which deployed last names as the one that undoes it (`on_stop`), where it runs or can be run. What isn't said
 * to stop the same environment undoes nothing.
 */
export const stopJobOf = async (needs: StopNeeds, environment: Environment): Promise<StopJob | undefined> => {
  const { ciJobs, pipelines } = needs;
  const deployed = await deployedBy(needs, environment);
  const said = deployed?.definition.options.environment;
  if (deployed === undefined || said?.onStop == null) return undefined;
  const named = (await ciJobs.standingsOf(deployed.pipelineId)).find(({ name }) => name === said.onStop);
  const job = named && (await ciJobs.find(named.id));
  const pipeline = await pipelines.find(deployed.pipelineId);
  if (job === undefined || pipeline === undefined || !stops(job, said.name)) return undefined;
  const begun = BEGUN.has(job.status);
  return begun || (await canRun(needs, job)) ? { job, pipeline, begun } : undefined;
};

const BEGUN: ReadonlySet<CheckStatus> = new Set<CheckStatus>(['waiting_for_resource', 'pending', 'running']);

/** The job that brought something there last: what a client tells of a deployment takes nothing of it away. */
const deployedBy = async ({ deployments, ciJobs }: StopNeeds, { id, projectId }: Environment) => {
  const last = await deployments.lastOf(id, 'by a job');
  const job = last?.jobId == null ? undefined : await ciJobs.find(last.jobId);
  return job?.projectId === projectId ? job : undefined;
};

const stops = ({ definition }: CiJob, name: string): boolean => {
  const { environment } = definition.options;
  return environment?.action === 'stop' && environment.name === name;
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
  if (stop === undefined || stop.begun) return;
  await begin(repositories, stop.job, by, at);
  await goOnWithPipeline(repositories, stop.pipeline, { by, at });
};

const begin = async (repositories: StopNeeds, job: CiJob, by: UserId, at: Date): Promise<void> => {
  const { ciJobs } = repositories;
  if (!isPlayable(job))
    return beginJobs(repositories, [{ ...beginning(job), id: await runAgain(repositories, job, by, at) }], at);
  await ciJobs.change(job.id, { userId: by });
  await beginJobs(repositories, [beginning(job)], at);
};
