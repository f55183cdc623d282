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

/** A job that has a resource of its project, waits for it, or comes to it. */
export interface SharingJob {
  readonly id: number;
  readonly pipelineId: number;
  readonly resourceGroup: string;
  /** Whether it starts a pipeline, and is no runner's. */
  readonly bridge: boolean;
  readonly status: CheckStatus;
}

/**
 * In which order jobs get what they share: as they begin to wait, or those of the oldest or newest pipeline that goes on, for which the
 * others wait even where they aren't ready yet.
 */
export const PROCESS_MODES = ['unordered', 'oldest_first', 'newest_first'] as const;
export type ProcessMode = (typeof PROCESS_MODES)[number];

export const isProcessMode = (text: string): text is ProcessMode => PROCESS_MODES.some((mode) => mode === text);

/** What jobs of a project share. */
export interface ResourceGroup {
  readonly id: number;
  /** What jobs call it. */
  readonly key: string;
  readonly processMode: ProcessMode;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

/** How jobs stand that come to what they share by themselves, later. */
export const COMING: readonly CheckStatus[] = ['created', 'scheduled'];

/**
 * Whose turn it is: of each resource that nobody has, who waits for it longest, or is first in its order.
 * @param sharing in the order in which they came; where there is an order, with those that come.
 */
export const nextToShare = (
  sharing: readonly SharingJob[],
  modes: ReadonlyMap<string, ProcessMode> = new Map(),
): readonly SharingJob[] =>
  [...Map.groupBy(sharing, ({ resourceGroup }) => resourceGroup)].flatMap(([group, jobs]) =>
    jobs.some(({ status }) => status === 'pending' || status === 'running')
      ? []
      : firstOf(jobs, modes.get(group) ?? 'unordered'),
  );

const isWaiting = ({ status }: SharingJob): boolean => status === 'waiting_for_resource';

/** Nobody, where the first isn't ready yet. */
const firstOf = (jobs: readonly SharingJob[], mode: ProcessMode): readonly SharingJob[] => {
  if (mode === 'unordered') return jobs.filter(isWaiting).slice(0, 1);
  const direction = mode === 'oldest_first' ? 1 : -1;
  const [first] = jobs
    .filter((job) => isWaiting(job) || COMING.includes(job.status))
    .sort(
      (one, other) =>
        direction * (one.pipelineId - other.pipelineId) ||
        Number(isWaiting(other)) - Number(isWaiting(one)) ||
        one.id - other.id,
    );
  return first !== undefined && isWaiting(first) ? [first] : [];
};
