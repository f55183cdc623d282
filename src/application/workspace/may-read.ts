import { Forbidden, NotFound } from '../../domain/shared/domain-error.js';
import type { Actor } from '../shared/actor.js';
import type { WorkspaceAccess } from './workspace-access.js';

/** Whether somebody may read the project or group at a path. */
export const mayRead = async (
  access: Pick<WorkspaceAccess, 'project' | 'group'>,
  actor: Actor,
  kind: 'project' | 'group',
  path: string,
): Promise<boolean> => {
  try {
    if (kind === 'group') await access.group(actor, path, 'read_group');
    else await access.project(actor, path, 'read_project');
    return true;
  } catch (error) {
    if (error instanceof NotFound || error instanceof Forbidden) return false;
    throw error;
  }
};
