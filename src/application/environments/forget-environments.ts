import type { ForgetProject } from '../workspace/ports/forget-project.js';
import type { EnvironmentRepositories } from './ports/environment-ports.js';

const FORGOTTEN_AT_ONCE = 1_000;

/** What was deployed from a project that is being removed; its environments go with it. */
export const forgetDeployments: ForgetProject<Pick<EnvironmentRepositories, 'deployments'>> = async (
  { deployments },
  projectId,
) => ((await deployments.removeOfProject(projectId, FORGOTTEN_AT_ONCE)) < FORGOTTEN_AT_ONCE ? 'done' : 'more');
