import type { CopyCodeParts } from '../../application/repositories/copy-code.js';
import type { ImportCodeParts } from '../../application/repositories/import-code.js';
import type { Project } from '../../domain/workspace/namespace.js';
import { isNoMoreOpen, opennessOf } from '../../domain/workspace/project-features.js';
import type { Get } from './context.js';
import { IDENTITY_TOKENS } from './identity.tokens.js';
import { actorBy, letInNow } from './people-behind-works.js';
import { WORKSPACE_TOKENS } from './workspace.tokens.js';

const letInBy = (get: Get) => {
  const { access } = get(WORKSPACE_TOKENS.workspace);
  return letInNow(access, actorBy(get(IDENTITY_TOKENS.identityReaders).users));
};

const opennessOfProject = ({ visibility, features }: Pick<Project, 'visibility' | 'features'>) =>
  opennessOf(visibility, features.repository);

/** Whether whoever made a fork may still fork its source, and be given one that is as visible. */
export const mayStillFork =
  (get: Get): CopyCodeParts['mayStillFork'] =>
  async (forkId, sourceId) => {
    const fork = await get(WORKSPACE_TOKENS.workspace).reader.findProject(forkId);
    if (fork === undefined || fork.creatorId === null) return false;
    const source = await letInBy(get)(fork.creatorId, sourceId, 'fork_project');
    return source !== undefined && isNoMoreOpen(opennessOfProject(fork), opennessOfProject(source.project));
  };

/** Whether whoever asked for the code of a project may still push to it. */
export const mayStillPush =
  (get: Get): ImportCodeParts['mayPush'] =>
  async (userId, projectId) =>
    (await letInBy(get)(userId, projectId, 'push_code')) !== undefined;
