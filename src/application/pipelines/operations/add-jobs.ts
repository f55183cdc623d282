import type { CiRepositories, NewCiJob } from '../ports/ci-job-ports.js';
import type { DomainEvents } from '../../shared/domain-events.js';

/** Adds jobs to a pipeline that is held, and tells of those that are for an environment. Answers their ids. */
export const addJobs = async (
  { ciJobs, events }: Pick<CiRepositories, 'ciJobs'> & { readonly events: DomainEvents },
  pipelineId: number,
  jobs: readonly Omit<NewCiJob, 'pipelineId'>[],
): Promise<readonly number[]> => {
  const ids = await ciJobs.addAll(jobs.map((job) => ({ ...job, pipelineId })));
  const made = jobs.flatMap(({ definition, userId, createdAt }, index) => {
    const { environment } = definition.options;
    return environment === null ? [] : [{ id: ids[index]!, userId, environment, at: createdAt }];
  });
  if (made.length > 0) await events.publish({ kind: 'jobs_made', pipelineId, jobs: made });
  return ids;
};
