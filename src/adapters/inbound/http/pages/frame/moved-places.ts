import type { Request } from 'express';
import type { Actor } from '../../../../../application/shared/actor.js';
import type { FormerPaths } from '../../../../../application/workspace/ports/former-paths.js';
import type { WorkspaceAccess } from '../../../../../application/workspace/workspace-access.js';
import { Forbidden, NotFound } from '../../../../../domain/shared/domain-error.js';

export interface MovedPlacesParts {
  readonly formerPaths: FormerPaths;
  readonly access: Pick<WorkspaceAccess, 'project' | 'group'>;
}

/** `/groups/…` or the path of a project or an account, and what follows it. */
const ADDRESS = /^\/(groups\/)?([\w.-]+(?:\/[\w.-]+)*?)(\/-(?:\/.*)?)?$/;

/**
 * An address of what was renamed or moved, as it is now. Undefined where nothing was there, where somebody has taken the path since, and
 * for whoever may not see what was there: they learn no more than of a path that never was.
 */
export const addressNow = async (
  { formerPaths, access }: MovedPlacesParts,
  actor: Actor,
  { originalUrl }: Request,
): Promise<string | undefined> => {
  const [pathname = '', ...query] = originalUrl.split('?');
  const [, ofGroups = '', path = '', rest = ''] = ADDRESS.exec(pathname) ?? [];
  if (path === '') return undefined;
  const now = await formerPaths.pathNow(path);
  if (now === undefined) return undefined;
  try {
    if (ofGroups !== '') await access.group(actor, now, 'read_group');
    // Without a slash it is an account: who has which name is no secret.
    else if (now.includes('/')) await access.project(actor, now, 'read_project');
  } catch (error) {
    if (error instanceof NotFound || error instanceof Forbidden) return undefined;
    throw error;
  }
  return [`/${ofGroups}${now}${rest}`, ...query].join('?');
};
