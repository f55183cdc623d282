import type { DeploymentStatus } from '../../domain/environments/deployment.js';
import {
  ENVIRONMENT_TIERS,
  isExternalUrl,
  type Environment,
  type EnvironmentTier,
} from '../../domain/environments/environment.js';
import type { CiEnvironment } from '../../domain/pipelines/ci-file/ci-config.js';
import { secondsOf } from '../../domain/pipelines/ci-file/duration.js';
import type { CheckStatus } from '../../domain/pipelines/commit-status.js';
import { environmentUrl } from '../../domain/pipelines/job-environment.js';
import type { Pipeline } from '../../domain/pipelines/pipeline.js';
import { Invalid } from '../../domain/shared/domain-error.js';
import type { CiRepositories } from '../pipelines/ports/ci-job-ports.js';
import type { PipelineRepositories } from '../pipelines/ports/pipeline-ports.js';
import type { JobEvent, Subscriber } from '../shared/domain-events.js';
import { environmentNamed } from './operations/environment-named.js';
import type { EnvironmentChange, EnvironmentJob, EnvironmentRepositories } from './ports/environment-ports.js';

type Needs = EnvironmentRepositories & Pick<PipelineRepositories, 'pipelines'> & Pick<CiRepositories, 'ciJobs'>;
type MadeJobs = Extract<JobEvent, { readonly kind: 'jobs_made' }>;

/** Jobs that are for an environment make it, deploy to it, and stop it. */
export const environmentsFollowJobs: Subscriber<Needs> = async (event, repositories) => {
  if (event.kind === 'jobs_made') {
    const pipeline = await repositories.pipelines.find(event.pipelineId);
    if (pipeline !== undefined) await followMade(repositories, pipeline, event);
  }
  if (event.kind === 'pipeline_removed')
    await repositories.deployments.cancelWithoutJob(event.pipeline.projectId, event.at);
  if (event.kind === 'jobs_changed')
    for (const job of await repositories.environmentJobs.changedOf(event.pipelineId))
      await followChanged(repositories, job, event.at);
};

const tierOf = ({ tier }: CiEnvironment): EnvironmentTier | undefined =>
  ENVIRONMENT_TIERS.find((each) => each === tier);

const followMade = async (repositories: Needs, pipeline: Pipeline, { jobs }: MadeJobs): Promise<void> => {
  const { deployments, environmentJobs } = repositories;
  const { id: pipelineId, projectId, ref, tag, sha } = pipeline;
  for (const { id: jobId, userId, environment: said, at: createdAt } of jobs) {
    const environment = await environmentOf(repositories, pipeline, said, createdAt);
    if (environment === undefined) continue;
    const { id: environmentId } = environment;
    await environmentJobs.add({ jobId, pipelineId, environmentId, action: said.action, status: 'created' });
    if (said.action === 'start')
      await deployments.add({
        ...{ projectId, environmentId, jobId, byJob: true, userId, ref, tag, sha },
        ...{ status: 'created', createdAt, finishedAt: null },
      });
  }
};

/** Undefined where none can be made of it: its job fails for that when its turn comes. */
const environmentOf = async (
  repositories: Needs,
  { projectId }: Pipeline,
  said: CiEnvironment,
  at: Date,
): Promise<Environment | undefined> => {
  const tier = tierOf(said);
  try {
    return await environmentNamed(repositories, projectId, { name: said.name, ...(tier && { tier }) }, at);
  } catch (error) {
    if (error instanceof Invalid) return undefined;
    throw error;
  }
};

const DEPLOYED_AS: Readonly<Record<CheckStatus, DeploymentStatus>> = {
  created: 'created',
  manual: 'created',
  pending: 'created',
  running: 'running',
  success: 'success',
  failed: 'failed',
  canceled: 'canceled',
  skipped: 'skipped',
};

const followChanged = async (repositories: Needs, job: EnvironmentJob, at: Date): Promise<void> => {
  await repositories.environmentJobs.seen(job);
  if (job.action === 'start') await followDeploying(repositories, job, at);
  if (job.action === 'stop') await followStopping(repositories, job, at);
};

const followDeploying = async (repositories: Needs, job: EnvironmentJob, at: Date): Promise<void> => {
  const { deployments, environments } = repositories;
  const environment = await environments.take(job.environmentId);
  const deployment = await deployments.ofJob(job.jobId);
  const status = DEPLOYED_AS[job.status];
  if (environment === undefined || deployment === undefined || deployment.status === status) return;
  // In whose name it runs may be another since it was made, as where somebody played it.
  const userId = (await repositories.ciJobs.find(job.jobId))?.userId ?? null;
  await deployments.setStatus(deployment.id, { status, userId }, at);
  if (status === 'success')
    await environments.change(environment.id, await deployedTo(repositories, environment, job, at), at);
};

/** What an environment is once a job has brought something to it. */
const deployedTo = async (
  { ciJobs, pipelines }: Needs,
  environment: Environment,
  { jobId, pipelineId }: EnvironmentJob,
  at: Date,
): Promise<EnvironmentChange> => {
  const said = (await ciJobs.find(jobId))?.definition.options.environment;
  const pipeline = await pipelines.find(pipelineId);
  if (said == null || pipeline === undefined) return { state: 'available' };
  const url = environmentUrl({ said, environment, jobId, pipeline });
  const tier = tierOf(said);
  const seconds = said.autoStopIn === null ? undefined : secondsOf(said.autoStopIn);
  return {
    state: 'available',
    autoStopAt: seconds === undefined ? null : new Date(at.getTime() + Math.min(seconds, LONGEST_SECONDS) * 1_000),
    ...(url !== null && isExternalUrl(url) && { externalUrl: url }),
    ...(tier !== undefined && { tier }),
  };
};

/** Ten years. */
const LONGEST_SECONDS = 315_576_000;

/** One that failed to stop it leaves it as it was, so that somebody may try again. */
const followStopping = async ({ environments }: Needs, job: EnvironmentJob, at: Date): Promise<void> => {
  const environment = await environments.take(job.environmentId);
  if (environment === undefined) return;
  if (job.status === 'success') await environments.change(environment.id, { state: 'stopped', autoStopAt: null }, at);
  const gaveUp = job.status === 'failed' || job.status === 'canceled';
  if (gaveUp && environment.state === 'stopping') await environments.change(environment.id, { state: 'available' }, at);
};
