import type { CiJob } from '../../../domain/pipelines/ci-job.js';
import type { CiRepositories, NewCiJob } from '../ports/ci-job-ports.js';
import type { DomainEvents } from '../../shared/domain-events.js';

interface Needs extends Pick<CiRepositories, 'ciJobs' | 'resourceGroups'> {
  readonly events: DomainEvents;
}

/** Adds jobs to a pipeline that is held, with what they share, and tells of those that are for an environment. Answers their ids. */
export const addJobs = async (
  repositories: Needs,
  pipelineId: number,
  jobs: readonly Omit<NewCiJob, 'pipelineId'>[],
): Promise<readonly number[]> => {
  const ids = await repositories.ciJobs.addAll(jobs.map((job) => ({ ...job, pipelineId })));
  const added = jobs.map((job, index) => ({ ...job, pipelineId, id: ids[index]! }));
  const [first] = added;
  if (first === undefined) return ids;
  const shared = new Set(jobs.flatMap(({ definition }) => definition.resourceGroup ?? []));
  if (shared.size > 0) await repositories.resourceGroups.ensure(first.projectId, [...shared], first.createdAt);
  await tellOfJobs(repositories, added, first.createdAt);
  return ids;
};

/** Tells of those of some jobs of one pipeline that are for an environment, which makes it where it isn't there. */
export const tellOfJobs = async (
  { events }: Pick<Needs, 'events'>,
  jobs: readonly Pick<CiJob, 'id' | 'pipelineId' | 'userId' | 'definition'>[],
  at: Date,
): Promise<void> => {
  const [first] = jobs;
  const told = jobs.flatMap(({ id, userId, definition }) => {
    const { environment } = definition.options;
    return environment === null ? [] : [{ id, userId, environment, at }];
  });
  if (first !== undefined && told.length > 0)
    await events.publish({ kind: 'jobs_made', pipelineId: first.pipelineId, jobs: told });
};
