import type { GroupId, ProjectId } from '../../../domain/shared/identifiers.js';
import type { JobProgress } from '../../shared/jobs/job-runner.js';

/**
 * Removes some of what a context keeps of a project that is being removed: what may be too much for the one statement that takes the
 * project with everything else. Called again until it is done.
 */
export type ForgetProject<Repositories> = (repositories: Repositories, projectId: ProjectId) => Promise<JobProgress>;

/** The same for a group that is being removed, and for those below it: what doesn't go with them. Their projects are forgotten one by one. */
export type ForgetGroup<Repositories> = (repositories: Repositories, groupId: GroupId) => Promise<void>;
