import { LONGEST_TIMEOUT_SECONDS, type CiJob } from '../../../domain/pipelines/ci-job.js';
import { endJob } from './end-job.js';
import type { JobNeeds } from './go-on-with-pipeline.js';

/** It waits no longer than any job may take. */
export const waiting = (at: Date) => ({
  timeoutSeconds: LONGEST_TIMEOUT_SECONDS,
  givesUpAt: new Date(at.getTime() + LONGEST_TIMEOUT_SECONDS * 1_000),
});

/** Ends a job as the pipeline ended that it started. Its own pipeline is held. */
export const endBridge = (
  repositories: JobNeeds,
  job: CiJob,
  status: 'success' | 'failed' | 'canceled',
  at: Date,
): Promise<void> =>
  endJob(
    repositories,
    job,
    status === 'failed' ? { status, reason: 'unknown_failure', exitCode: null } : { status },
    at,
  );
