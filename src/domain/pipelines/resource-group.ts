import type { CheckStatus } from './commit-status.js';
import type { PlannedJob } from './ci-file/plan.js';
import type { CiValue } from './predefined-variables.js';
import { filledIn, itself } from './variables-in-text.js';

const MOST_OF_NAME = 255;

/**
 * A job whose resource is called as it is under these values. What isn't known stays as it is written: rather too few run at once than
 * too many.
 */
export const withResourceGroup = (
  job: PlannedJob,
  known: readonly CiValue[],
  given: readonly CiValue[],
): PlannedJob => {
  const { resourceGroup } = job;
  if (resourceGroup === undefined) return job;
  const { environment } = job.options;
  const ofJob = [
    { key: 'CI_JOB_NAME', value: job.name },
    { key: 'CI_JOB_STAGE', value: job.stage },
    ...(environment === null ? [] : [{ key: 'CI_ENVIRONMENT_NAME', value: environment.name }]),
  ];
  const values = new Map([...known, ...job.variables, ...given, ...ofJob].map(({ key, value }) => [key, value]));
  return { ...job, resourceGroup: filledIn(resourceGroup, values, { most: MOST_OF_NAME, unknown: itself }) };
};

/** A job that has a resource of its project, or waits for it. */
export interface SharingJob {
  readonly id: number;
  readonly pipelineId: number;
  readonly resourceGroup: string;
  /** Whether it starts a pipeline, and is no runner's. */
  readonly bridge: boolean;
  readonly status: CheckStatus;
}

/** Whose turn it is: of each resource that nobody has, who waits for it longest. @param sharing in the order in which they came. */
export const nextToShare = (sharing: readonly SharingJob[]): readonly SharingJob[] =>
  [...Map.groupBy(sharing, ({ resourceGroup }) => resourceGroup).values()].flatMap((jobs) =>
    jobs.some(({ status }) => status === 'pending' || status === 'running')
      ? []
      : jobs.filter(({ status }) => status === 'waiting_for_resource').slice(0, 1),
  );
