import type { Actor } from '../../../../application/shared/actor.js';
import type { PermittedGroup } from '../../../../application/shared/permitted.js';
import type { WorkspaceAccess } from '../../../../application/workspace/workspace-access.js';
import { NotPossible } from '../../../../domain/shared/domain-error.js';
import type { Project } from '../../../../domain/workspace/namespace.js';
import type { GroupPermission } from '../../../../domain/workspace/workspace-policy.js';

/** The group that holds a project, for callers who may do this to it. @throws NotPossible for one of a person; NotFound, Forbidden. */
export const groupOfProject = async <P extends GroupPermission>(
  access: Pick<WorkspaceAccess, 'group'>,
  actor: Actor,
  { namespace }: Pick<Project, 'namespace'>,
  permission: P,
): Promise<PermittedGroup<P>> => {
  if (namespace.kind !== 'group') throw new NotPossible('The project is in no group.');
  return access.group(actor, String(namespace.id), permission);
};
