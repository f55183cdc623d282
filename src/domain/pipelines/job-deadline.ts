import { ORDINARY_TIMEOUT_SECONDS, type CiJob, type FailureReason } from './ci-job.js';

/** A runner that says nothing for so long is gone. */
const SILENCE_MS = 15 * 60_000;
/** For what a runner does after the end of a job's time. */
const GRACE_MS = 5 * 60_000;

type Taken = Pick<CiJob, 'startedAt' | 'timeoutSeconds'>;

/** How long a job that was taken may run. */
const allowedMs = ({ timeoutSeconds }: Taken): number => (timeoutSeconds ?? ORDINARY_TIMEOUT_SECONDS) * 1_000;

const after = (at: Date, ms: number): Date => new Date(at.getTime() + ms);

/** When a job that was taken is given up, unless something is heard of it. @param at when that was the last time. */
export const deadlineOf = (job: Taken, at: Date): Date => {
  const [ends, silent] = [after(job.startedAt ?? at, allowedMs(job) + GRACE_MS), after(at, SILENCE_MS)];
  return ends < silent ? ends : silent;
};

/** Why a job is given up. */
export const reasonOf = (job: Taken & Pick<CiJob, 'status'>, at: Date): FailureReason => {
  if (job.status !== 'running' || job.startedAt === null) return 'stuck_or_timeout_failure';
  const ranMs = at.getTime() - job.startedAt.getTime();
  return ranMs > allowedMs(job) ? 'job_execution_timeout' : 'runner_system_failure';
};
