import { ACCESS_LEVEL } from '../shared/access-level.js';
import { Forbidden } from '../shared/domain-error.js';
import type { CiArtifacts } from './ci-file/ci-config.js';
import type { CiJob } from './ci-job.js';

type Access = NonNullable<CiArtifacts['access']>;

const NEEDED: Readonly<Record<Access, number>> = {
  developer: ACCESS_LEVEL.developer,
  maintainer: ACCESS_LEVEL.maintainer,
  none: Infinity,
};

/**
 * Whether somebody who may read the code may fetch the files that a job left, as its CI file says. Jobs that are given them ask nobody.
 * @param level in the project; an administrator's is that of an owner.
 */
export const mayFetchFiles = ({ definition }: Pick<CiJob, 'definition'>, level: number): boolean => {
  const access = definition.options.artifacts?.access;
  return access === undefined || level >= NEEDED[access];
};

/** @throws Forbidden to whoever may not fetch them. */
export const requireFetchable = (job: Pick<CiJob, 'definition'>, level: number): void => {
  if (!mayFetchFiles(job, level)) throw new Forbidden();
};
