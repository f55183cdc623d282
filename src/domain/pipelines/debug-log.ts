import { ACCESS_LEVEL } from '../shared/access-level.js';
import { Forbidden } from '../shared/domain-error.js';
import type { CiJob } from './ci-job.js';
import { valuesByKey, type CiValue } from './predefined-variables.js';

/** With these, runners write all commands of a job, or of its services, into its log, and with them the variables that they were given. */
const DEBUGS = ['CI_DEBUG_TRACE', 'CI_DEBUG_SERVICES'];
const TRUE = /^(?:1|t|true)$/i;

/** Whether a job that is given these, of which the last of a key counts, may write secrets into its log. What is another variable is known to its runner alone. */
export const isDebugged = (given: readonly Pick<CiValue, 'key' | 'value'>[]): boolean => {
  const values = valuesByKey(given);
  return DEBUGS.some((key) => {
    const value = values.get(key) ?? '';
    return TRUE.test(value) || value.includes('$');
  });
};

/** Whether somebody may see the log of a job: one with secrets is for those who may run jobs, and read the variables as well. */
export const mayReadLog = ({ debug }: Pick<CiJob, 'debug'>, level: number): boolean =>
  !debug || level >= ACCESS_LEVEL.developer;

/** @throws Forbidden */
export const requireReadableLog = (job: Pick<CiJob, 'debug'>, level: number): void => {
  if (!mayReadLog(job, level)) throw new Forbidden();
};
