import type { CiJob } from './ci-job.js';
import type { CiValue } from './predefined-variables.js';

/** A job that left something for others of its pipeline. */
export type LeavingJob = Pick<CiJob, 'id' | 'name' | 'stageIndex'>;

/** A job that left a dotenv report, and what that says. */
export interface TellingJob extends LeavingJob {
  readonly variables: readonly CiValue[];
}

/** Whether a job is given what another one left: as its file says, else what all stages before it left. */
export const isGivenTo = (
  { id, stageIndex, definition: { needs, dependencies } }: Pick<CiJob, 'id' | 'stageIndex' | 'definition'>,
  from: LeavingJob,
): boolean => {
  if (from.id === id || dependencies?.includes(from.name) === false) return false;
  if (needs === null) return from.stageIndex < stageIndex;
  return needs.some(({ name, artifacts }) => artifacts && name === from.name);
};

/** What others told a job, each key once: of several it is told by the last. */
export const toldBy = (jobs: readonly Pick<TellingJob, 'variables'>[]): readonly CiValue[] => [
  ...new Map(jobs.flatMap(({ variables }) => variables.map((each) => [each.key, each] as const))).values(),
];
