import {
  ENVIRONMENT_TIERS,
  isExternalUrl,
  type Environment,
  type EnvironmentTier,
} from '../../domain/environments/environment.js';
import type { CiEnvironment } from '../../domain/pipelines/ci-file/ci-config.js';
import { secondsOf } from '../../domain/pipelines/ci-file/duration.js';
import type { CheckStatus } from '../../domain/pipelines/commit-status.js';
import { isGivenTo, toldBy } from '../../domain/pipelines/given-files.js';
import { knownEnvironmentUrl } from '../../domain/pipelines/job-environment.js';
import { codeRefOf, type Pipeline } from '../../domain/pipelines/pipeline.js';
import { Invalid } from '../../domain/shared/domain-error.js';
import type { CiRepositories } from '../pipelines/ports/ci-job-ports.js';
import type { PipelineRepositories } from '../pipelines/ports/pipeline-ports.js';
import type { JobEvent } from '../shared/ci-events.js';
import type { DomainEvents, Subscriber } from '../shared/domain-events.js';
import { environmentNamed } from './operations/environment-named.js';
import { tellDeployments } from './operations/tell-deployments.js';
import type { EnvironmentChange, EnvironmentJob, EnvironmentRepositories } from './ports/environment-ports.js';

type Needs = EnvironmentRepositories &
  Pick<PipelineRepositories, 'pipelines'> &
  Pick<CiRepositories, 'ciJobs' | 'ciArtifacts'> & { readonly events: DomainEvents };
type MadeJobs = Extract<JobEvent, { readonly kind: 'jobs_made' }>;

/** Jobs that are for an environment make it, deploy to it, and stop it. */
export const environmentsFollowJobs: Subscriber<Needs> = async (event, repositories) => {
  if (event.kind === 'jobs_made') {
    const pipeline = await repositories.pipelines.find(event.pipelineId);
    if (pipeline !== undefined) await followMade(repositories, pipeline, event);
  }
  if (event.kind === 'pipeline_removed') {
    const { projectId } = event.pipeline;
    const canceled = await repositories.deployments.cancelWithoutJob(projectId, event.at);
    await tellDeployments(repositories.events, event.at, ...canceled);
    await repositories.environments.reopenWithoutJob(projectId, event.at);
  }
  if (event.kind === 'jobs_changed') await followChanges(repositories, event.pipelineId, event.at);
};

const tierOf = ({ tier }: CiEnvironment): EnvironmentTier | undefined =>
  ENVIRONMENT_TIERS.find((each) => each === tier);

const followMade = async (repositories: Needs, pipeline: Pipeline, { jobs }: MadeJobs): Promise<void> => {
  const known = new Map<string, Environment | undefined>();
  for (const { id: jobId, environment: said, at } of jobs) {
    if (!known.has(said.name)) known.set(said.name, await environmentOf(repositories, pipeline, said, at));
    const environment = known.get(said.name);
    if (environment === undefined) continue;
    const { id: environmentId } = environment;
    const { action } = said;
    await repositories.environmentJobs.add({
      ...{ jobId, pipelineId: pipeline.id, environmentId, action, status: 'created' },
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

/** An environment hears of a job once it begins. */
const NOT_BEGUN: ReadonlySet<CheckStatus> = new Set<CheckStatus>([
  ...(['created', 'manual', 'scheduled', 'waiting_for_resource', 'pending', 'skipped'] as const),
]);

const followChanges = async (repositories: Needs, pipelineId: number, at: Date): Promise<void> => {
  const changed = await repositories.environmentJobs.changedOf(pipelineId);
  const begun = changed.filter(({ status }) => !NOT_BEGUN.has(status));
  for (const job of begun) {
    const environment = await repositories.environments.take(job.environmentId);
    if (environment === undefined) continue;
    if (job.action === 'start') await followDeploying(repositories, environment, job, at);
    if (job.action === 'stop') await followStopping(repositories, environment, job, at);
  }
  if (changed.length > 0) await repositories.environmentJobs.seen(changed);
};

const DEPLOYED_AS = { running: 'running', success: 'success', failed: 'failed', canceled: 'canceled' } as const;

/** The environment is taken. */
const followDeploying = async (repositories: Needs, environment: Environment, job: EnvironmentJob, at: Date) => {
  const { deployments, environments, events } = repositories;
  const status = job.status in DEPLOYED_AS ? DEPLOYED_AS[job.status as keyof typeof DEPLOYED_AS] : undefined;
  if (status === undefined) return;
  if (status === 'running') return begin(repositories, environment, job, at);
  // One that ended before a runner took it brought nothing.
  const deployment = await deployments.ofJob(job.jobId);
  if (deployment === undefined) return;
  await deployments.setStatus(deployment.id, { status }, at);
  if (status !== deployment.status) await tellDeployments(events, at, { ...deployment, status });
  // One that was begun later, and has ended, says what is there now.
  const isThere = status === 'success' && (await deployments.lastOf(environment.id))?.id === deployment.id;
  if (isThere) await environments.change(environment.id, await deployedTo(repositories, environment, job, at), at);
};

/** What is brought by a job is counted from when it begins: jobs that wait for somebody may never. */
const begin = async (
  { deployments, pipelines, ciJobs, events }: Needs,
  { id: environmentId, projectId }: Environment,
  { jobId, pipelineId }: EnvironmentJob,
  at: Date,
): Promise<void> => {
  const [pipeline, job] = [await pipelines.find(pipelineId), await ciJobs.find(jobId)];
  if (pipeline === undefined || job === undefined) return;
  const { ref, tag } = codeRefOf(pipeline);
  const made = await deployments.add({
    ...{ projectId, environmentId, jobId, byJob: true, userId: job.userId, ref, tag, sha: pipeline.sha },
    ...{ status: 'running', createdAt: at, finishedAt: null },
  });
  await tellDeployments(events, at, made);
};

/** What an environment is once a job has brought something to it. */
const deployedTo = async (
  { ciJobs, ciArtifacts, pipelines }: Needs,
  environment: Environment,
  { jobId, pipelineId }: EnvironmentJob,
  at: Date,
): Promise<EnvironmentChange> => {
  const [job, pipeline] = [await ciJobs.find(jobId), await pipelines.find(pipelineId)];
  const said = job?.definition.options.environment;
  if (job === undefined || said == null || pipeline === undefined) return { state: 'available' };
  const telling = await ciArtifacts.dotenvsOf(pipelineId);
  const told = [
    ...toldBy(telling.filter((from) => isGivenTo(job, from))),
    ...toldBy(telling.filter(({ id }) => id === jobId)),
  ];
  const url = knownEnvironmentUrl({ said, environment, jobId, pipeline, told });
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

/** One that failed to stop it leaves it as it was, so that somebody may try again. The environment is taken. */
const followStopping = async (
  { environments }: Needs,
  { id, state }: Environment,
  { status }: EnvironmentJob,
  at: Date,
): Promise<void> => {
  if (status === 'success') await environments.change(id, { state: 'stopped', autoStopAt: null }, at);
  const gaveUp = status === 'failed' || status === 'canceled';
  if (gaveUp && state === 'stopping') await environments.change(id, { state: 'available' }, at);
};
