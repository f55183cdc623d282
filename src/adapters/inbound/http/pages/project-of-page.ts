import type { PermittedProject } from '../../../../application/shared/permitted.js';
import type { WorkspaceAccess } from '../../../../application/workspace/workspace-access.js';
import type { ProjectPermission } from '../../../../domain/workspace/workspace-policy.js';
import type { PageContext } from './page-context.js';
import { actorFor } from './page-request.js';
import { projectPath } from './project-path.js';

/** The project of a page below `/path/of/it/-/`, for whoever may do this to it. @throws NotFound "Project"; Forbidden. */
export const projectOfPage = <P extends ProjectPermission>(
  access: Pick<WorkspaceAccess, 'project'>,
  { browser, request }: Pick<PageContext, 'browser' | 'request'>,
  permission: P,
): Promise<PermittedProject<P>> => access.project(actorFor(browser), projectPath(request), permission);
