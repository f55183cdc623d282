import type { ForgetProject } from '../workspace/ports/forget-project.js';
import type { ActivityRepository } from './ports/activity-repository.js';

/** Entries of the feed that one step takes. */
const REMOVED_AT_ONCE = 1_000;

/** The feed of a project that is being removed. */
export const forgetActivity: ForgetProject<{ readonly activity: ActivityRepository }> = async ({ activity }, id) =>
  (await activity.removeOfProject(id, REMOVED_AT_ONCE)) === REMOVED_AT_ONCE ? 'more' : 'done';
