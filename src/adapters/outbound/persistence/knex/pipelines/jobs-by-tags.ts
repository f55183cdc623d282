import type { Knex } from 'knex';
import { STATUSES_GOING_ON } from '../../../../../domain/pipelines/pipeline.js';
import { together, type JobsByTags } from '../../../../../domain/pipelines/room-for-jobs.js';
import type { ProjectId } from '../../../../../domain/shared/identifiers.js';
import type { Session } from '../session.js';

/** How many jobs have each set of tags, without those that have been run again. */
export const byTags = async (
  session: Session,
  narrow: (jobs: Knex.QueryBuilder) => Knex.QueryBuilder,
): Promise<JobsByTags> => {
  const jobs = session
    .query('ci_jobs')
    .join('commit_statuses', 'commit_statuses.id', 'ci_jobs.id')
    .where('commit_statuses.latest', true);
  const rows = (await narrow(jobs).groupBy('ci_jobs.tag_set').select('ci_jobs.tag_set').count({ jobs: '*' })) as {
    readonly tag_set: string;
    readonly jobs: number | string;
  }[];
  return new Map(rows.map(({ tag_set: tags, jobs: count }) => [tags, Number(count)]));
};

/** Of pipelines in which something goes on, and those that begin later by themselves, whatever else their pipelines wait for. */
export const jobsGoingOn = async (session: Session, projectId: ProjectId): Promise<JobsByTags> => {
  const ofProject = (jobs: Knex.QueryBuilder) =>
    jobs.join('pipelines', 'pipelines.id', 'ci_jobs.pipeline_id').where('pipelines.project_id', projectId);
  const goingOn = await byTags(session, (jobs) => ofProject(jobs).whereIn('pipelines.status', [...STATUSES_GOING_ON]));
  const delayed = await byTags(session, (jobs) =>
    ofProject(jobs)
      .where('ci_jobs.project_id', projectId)
      .whereNotNull('begins_at')
      .whereNotIn('pipelines.status', [...STATUSES_GOING_ON]),
  );
  return together(goingOn, delayed);
};
