import { allowsFailure, retriesByItself, type CiJob, type FailureReason } from '../../../domain/pipelines/ci-job.js';
import { addJobs } from './add-jobs.js';
import { cancelOthers } from './cancel-jobs.js';
import type { JobNeeds } from './go-on-with-pipeline.js';

export type JobEnd =
  | { readonly status: 'success' | 'canceled' }
  | { readonly status: 'failed'; readonly reason: FailureReason; readonly exitCode: number | null };

/**
 * Ends a job that waits or runs; what failed is run once more where its file asks for that, else it ends the others where that is asked for.
 * Its pipeline is held.
 */
export const endJob = async (repositories: JobNeeds, job: CiJob, end: JobEnd, at: Date): Promise<void> => {
  const { ciJobs } = repositories;
  const failed = end.status === 'failed' ? end : undefined;
  const mayFail = failed !== undefined && allowsFailure(job, failed.exitCode);
  await ciJobs.change(job.id, {
    status: end.status,
    finishedAt: at,
    queued: false,
    givesUpAt: null,
    ...(failed && {
      failureReason: failed.reason,
      exitCode: failed.exitCode,
      allowFailure: mayFail,
    }),
  });
  if (failed === undefined) return;
  if (await isToRunAgain(ciJobs, job, failed)) await runAgain(repositories, job, job.userId, at);
  else if (!mayFail) await cancelOthers(repositories, job, at);
};

const isToRunAgain = async (
  ciJobs: JobNeeds['ciJobs'],
  job: CiJob,
  failed: Extract<JobEnd, { readonly status: 'failed' }>,
): Promise<boolean> => {
  if (job.definition.retry.max === 0) return false;
  const runs = await ciJobs.runsOf(job.pipelineId, job.name);
  return retriesByItself(job, failed, runs - 1);
};

/** A job like one that has ended, which counts in its place. It waits for those before it, as that one did. Answers its id. */
export const runAgain = async (
  repositories: Pick<JobNeeds, 'ciJobs' | 'resourceGroups' | 'events'>,
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
