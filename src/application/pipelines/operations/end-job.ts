import { allowsFailure, retriesByItself, type CiJob, type FailureReason } from '../../../domain/pipelines/ci-job.js';
import { addJobs } from './add-jobs.js';
import type { JobNeeds } from './go-on-with-pipeline.js';

export type JobEnd =
  | { readonly status: 'success' | 'canceled' }
  | { readonly status: 'failed'; readonly reason: FailureReason; readonly exitCode: number | null };

/** Ends a job that waits or runs; what failed is run once more where its file asks for that. Its pipeline is held. */
export const endJob = async (repositories: JobNeeds, job: CiJob, end: JobEnd, at: Date): Promise<void> => {
  const { ciJobs } = repositories;
  const failed = end.status === 'failed' ? end : undefined;
  await ciJobs.change(job.id, {
    status: end.status,
    finishedAt: at,
    queued: false,
    givesUpAt: null,
    ...(failed && {
      failureReason: failed.reason,
      exitCode: failed.exitCode,
      allowFailure: allowsFailure(job, failed.exitCode),
    }),
  });
  if (failed === undefined || job.definition.retry.max === 0) return;
  const runs = await ciJobs.runsOf(job.pipelineId, job.name);
  if (retriesByItself(job, failed, runs - 1)) await runAgain(repositories, job, job.userId, at);
};

/** A job like one that has ended, which counts in its place. It waits for those before it, as that one did. Answers its id. */
export const runAgain = async (
  repositories: Pick<JobNeeds, 'ciJobs' | 'events'>,
  job: CiJob,
  userId: CiJob['userId'],
  createdAt: Date,
): Promise<number> => {
  await repositories.ciJobs.change(job.id, { latest: false });
  const sealedVariables = await repositories.ciJobs.sealedVariablesOf(job.id);
  const { projectId, pipelineId, definition, protectedRef } = job;
  const again = { projectId, definition, protectedRef, userId, createdAt, sealedVariables };
  const [id] = await addJobs(repositories, pipelineId, [again]);
  return id!;
};
