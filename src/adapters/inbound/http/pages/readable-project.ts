import type { Permitted } from '../../../../application/shared/permitted.js';
import type { WorkspaceAccess } from '../../../../application/workspace/workspace-access.js';
import { NotFound } from '../../../../domain/shared/domain-error.js';
import type { PageContext } from './page-context.js';
import { actorOfContext } from './page-request.js';
import { projectPath } from './project-path.js';

/** The project of an address, for who may read its code. @throws NotFound, also for a job of another project; Forbidden. */
export const readableProject = async (
  access: Pick<WorkspaceAccess, 'project'>,
  context: Pick<PageContext, 'browser' | 'caller' | 'request'>,
): Promise<Permitted<'read_code'>> => {
  const permitted = await access.project(actorOfContext(context), projectPath(context.request), 'read_code');
  const own = context.caller?.projectId;
  if (own !== undefined && permitted.project.id !== own) throw new NotFound('Project');
  return permitted;
};
