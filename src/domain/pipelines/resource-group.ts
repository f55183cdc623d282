import type { CheckStatus } from './commit-status.js';
import type { PlannedJob } from './ci-file/plan.js';
import type { CiValue } from './predefined-variables.js';
import { filledIn, nothing } from './variables-in-text.js';

const MOST_OF_NAME = 255;

/** A job whose resource is called as it is under these values; of none where nothing is left of the name. */
export const withResourceGroup = (
  job: PlannedJob,
  known: readonly CiValue[],
  given: readonly CiValue[],
): PlannedJob => {
  const { resourceGroup, ...without } = job;
  if (resourceGroup === undefined) return job;
  const values = new Map([...known, ...job.variables, ...given].map(({ key, value }) => [key, value]));
  const { environment } = job.options;
  if (environment !== null) values.set('CI_ENVIRONMENT_NAME', environment.name);
  const name = filledIn(resourceGroup, values, { most: MOST_OF_NAME, unknown: nothing }).trim();
  return name === '' ? without : { ...job, resourceGroup: name };
};

/** A job that has a resource of its project, or waits for it. */
export interface SharingJob {
  readonly id: number;
  readonly pipelineId: number;
  readonly resourceGroup: string;
  readonly status: CheckStatus;
}

/** Whose turn it is: of each resource that nobody has, who waits for it longest. @param sharing in the order in which they came. */
export const nextToShare = (sharing: readonly SharingJob[]): readonly SharingJob[] =>
  [...Map.groupBy(sharing, ({ resourceGroup }) => resourceGroup).values()].flatMap((jobs) =>
    jobs.every(({ status }) => status === 'waiting_for_resource') ? jobs.slice(0, 1) : [],
  );
