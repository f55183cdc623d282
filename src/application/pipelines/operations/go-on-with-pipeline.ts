import { isBridge, type CiJob } from '../../../domain/pipelines/ci-job.js';
import { nextStatuses, type WaitingJob } from '../../../domain/pipelines/job-processing.js';
import type { Pipeline } from '../../../domain/pipelines/pipeline.js';
import { nextToShare } from '../../../domain/pipelines/resource-group.js';
import type { ProjectId } from '../../../domain/shared/identifiers.js';
import type { DomainEvents } from '../../shared/domain-events.js';
import type { CiRepositories } from '../ports/ci-job-ports.js';
import type { PipelineRepositories } from '../ports/pipeline-ports.js';
import { settlePipeline, type Happening } from './settle-pipeline.js';

export type JobNeeds = PipelineRepositories & CiRepositories & { readonly events: DomainEvents };

/** So long a job waits for a runner. */
const WAITS_MS = 86_400_000;

const idsOf = (jobs: readonly { readonly id: number }[]): readonly number[] => jobs.map(({ id }) => id);

type Begins = Pick<JobNeeds, 'ciJobs' | 'events'>;

/** Jobs wait for a runner from now on; those that start pipelines are told of, so that this is done behind the transaction. */
const enqueue = async (
  { ciJobs, events }: Begins,
  jobs: readonly Pick<WaitingJob, 'id' | 'bridge'>[],
  at: Date,
): Promise<void> => {
  const givesUpAt = new Date(at.getTime() + WAITS_MS);
  const bridges = jobs.filter(({ bridge }) => bridge);
  const ordinary = jobs.filter(({ bridge }) => !bridge);
  if (ordinary.length > 0) await ciJobs.enqueue(idsOf(ordinary), at, givesUpAt);
  if (bridges.length === 0) return;
  const begun = await ciJobs.beginBridges(idsOf(bridges), at, givesUpAt);
  // Nobody may start anything for those who are gone: it fails as soon as somebody looks.
  for (const { id } of begun.filter(({ userId }) => userId === null)) await ciJobs.change(id, { givesUpAt: at });
  const told = begun.flatMap(({ id, projectId, userId }) => (userId === null ? [] : [{ id, projectId, userId }]));
  if (told.length > 0) await events.publish({ kind: 'bridges_begun', bridges: told, at });
};

type Beginning = Pick<WaitingJob, 'id' | 'resourceGroup' | 'bridge'>;

export const beginning = (job: Pick<CiJob, 'id' | 'definition'>): Beginning => ({
  id: job.id,
  resourceGroup: job.definition.resourceGroup ?? null,
  bridge: isBridge(job),
});

/** From now on they wait for a runner, or for their turn: whoever goes on with their pipeline gives it. */
export const beginJobs = async (repositories: Begins, jobs: readonly Beginning[], at: Date): Promise<void> => {
  const alone = jobs.filter(({ resourceGroup }) => resourceGroup === null);
  const sharing = jobs.filter(({ resourceGroup }) => resourceGroup !== null);
  await enqueue(repositories, alone, at);
  if (sharing.length > 0) await repositories.ciJobs.awaitResource(idsOf(sharing), at);
};

const schedule = async (ciJobs: JobNeeds['ciJobs'], jobs: readonly WaitingJob[], at: Date): Promise<void> => {
  for (const [seconds, together] of Map.groupBy(jobs, ({ startInSeconds }) => startInSeconds ?? 0))
    await ciJobs.schedule(idsOf(together), new Date(at.getTime() + seconds * 1_000));
};

/** Begins what may begin of a pipeline, once one of its jobs stands otherwise, and finds out how it stands itself. It is held. */
export const goOnWithPipeline = async (
  repositories: JobNeeds,
  pipeline: Pipeline,
  happening: Happening,
): Promise<Pipeline> => {
  const { ciJobs } = repositories;
  const jobs = await ciJobs.standingsOf(pipeline.id);
  const next = nextStatuses(jobs);
  const becoming = (status: string): readonly WaitingJob[] => jobs.filter(({ id }) => next.get(id) === status);
  const [manual, skipped] = [becoming('manual'), becoming('skipped')];
  await beginJobs(repositories, becoming('pending'), happening.at);
  await schedule(ciJobs, becoming('scheduled'), happening.at);
  if (manual.length > 0) await ciJobs.setStatus(idsOf(manual), 'manual');
  if (skipped.length > 0) await ciJobs.setStatus(idsOf(skipped), 'skipped');
  const shared = sharedBy(jobs);
  const { id: own, projectId } = pipeline;
  await giveResources(repositories, { projectId, shared, own }, happening.at);
  const settled = await told(repositories, pipeline, happening);
  // What comes to be shared in a pipeline that waits for somebody comes no more by itself: others needn't wait for it.
  if (settled.status === 'manual') await giveResources(repositories, { projectId, shared, own }, happening.at);
  return settled;
};

const told = async (repositories: JobNeeds, pipeline: Pipeline, happening: Happening): Promise<Pipeline> => {
  const { id: pipelineId, projectId } = pipeline;
  await repositories.events.publish({ kind: 'jobs_changed', pipelineId, projectId, ...happening });
  return settlePipeline(repositories, pipeline, happening);
};

/** What jobs share. */
export const sharedBy = (jobs: readonly Pick<WaitingJob, 'resourceGroup'>[]): ReadonlySet<string> =>
  new Set(jobs.flatMap(({ resourceGroup }) => resourceGroup ?? []));

/** What may be free in a project, whose pipelines are held; beside its own pipeline, which is settled later, if there is one. */
interface Shared {
  readonly projectId: ProjectId;
  readonly shared: ReadonlySet<string>;
  readonly own?: number;
}

/** Of what jobs share, gives what is free to those whose turn it is, of whichever pipelines. The other ones are settled. */
export const giveResources = async (
  repositories: JobNeeds,
  { projectId, shared, own }: Shared,
  at: Date,
): Promise<void> => {
  const { ciJobs, pipelines, resourceGroups } = repositories;
  if (shared.size === 0) return;
  const modes = await resourceGroups.modesOf(projectId, [...shared]);
  const ordered = [...shared].filter((key) => (modes.get(key) ?? 'unordered') !== 'unordered');
  const coming = ordered.length === 0 ? [] : await resourceGroups.comingTo(projectId, ordered);
  const next = nextToShare([...(await ciJobs.sharingOf(projectId, [...shared])), ...coming], modes);
  if (next.length === 0) return;
  await enqueue(repositories, next, at);
  for (const id of new Set(next.map(({ pipelineId }) => pipelineId))) {
    const pipeline = id === own ? undefined : await pipelines.find(id);
    if (pipeline !== undefined) await told(repositories, pipeline, { by: pipeline.userId, at });
  }
};
