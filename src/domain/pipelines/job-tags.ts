import type { PlannedJob } from './ci-file/plan.js';
import type { CiValue } from './predefined-variables.js';
import { filledIn, isVariable, nothing } from './variables-in-text.js';

const LONGEST = 255;

/** A job that asks for runners by the tags that it has under these values; a tag that comes to nothing is none. */
export const withTags = (job: PlannedJob, known: readonly CiValue[], given: readonly CiValue[]): PlannedJob => {
  if (!job.tags.some(isVariable)) return job;
  const ofJob = [
    { key: 'CI_JOB_NAME', value: job.name },
    { key: 'CI_JOB_STAGE', value: job.stage },
  ];
  const values = new Map([...known, ...ofJob, ...job.variables, ...given].map(({ key, value }) => [key, value]));
  const tags = job.tags.map((tag) => filledIn(tag, values, { most: LONGEST, unknown: nothing }).trim());
  return { ...job, tags: [...new Set(tags)].filter((tag) => tag !== '') };
};
