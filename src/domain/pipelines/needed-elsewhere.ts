import type { PlannedJob } from './ci-file/plan.js';
import { LONGEST_NAME, LONGEST_PATH } from './ci-file/read-needs.js';
import type { CiValue } from './predefined-variables.js';
import { filledIn, nothing } from './variables-in-text.js';

/** A job that is given the files of jobs elsewhere that are meant under these values. */
export const withNeededElsewhere = (
  job: PlannedJob,
  known: readonly CiValue[],
  given: readonly CiValue[],
): PlannedJob => {
  if (job.neededElsewhere === undefined) return job;
  const ofJob = [
    { key: 'CI_JOB_NAME', value: job.name },
    { key: 'CI_JOB_STAGE', value: job.stage },
  ];
  const values = new Map([...known, ...ofJob, ...job.variables, ...given].map(({ key, value }) => [key, value]));
  const filled = (text: string, most: number): string => filledIn(text, values, { most, unknown: nothing });
  const neededElsewhere = job.neededElsewhere.map((need) =>
    'pipeline' in need
      ? { pipeline: filled(need.pipeline, LONGEST_NAME), job: filled(need.job, LONGEST_NAME) }
      : {
          project: filled(need.project, LONGEST_PATH).replace(/^\/+/, ''),
          job: filled(need.job, LONGEST_NAME),
          ref: filled(need.ref, LONGEST_NAME),
        },
  );
  return { ...job, neededElsewhere };
};
