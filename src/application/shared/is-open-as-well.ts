import { isOffered, type ProjectPermission } from '../../domain/workspace/workspace-policy.js';
import type { PermittedProject } from './permitted.js';

/** Whether who was let into a project may do something else there, for what is told beside: it permits nothing. */
export const isOpenAsWell = (
  { project, level }: Pick<PermittedProject<ProjectPermission>, 'project' | 'level'>,
  permission: ProjectPermission,
): boolean => isOffered(project, level, permission);
