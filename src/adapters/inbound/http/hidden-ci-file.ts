import type { PipelineDetails } from '../../../application/pipelines/ports/pipeline-ports.js';
import type { Actor } from '../../../application/shared/actor.js';
import type { PermittedProject } from '../../../application/shared/permitted.js';
import type { WorkspaceAccess } from '../../../application/workspace/workspace-access.js';
import { ciConfigPlace } from '../../../domain/shared/ci-config-path.js';
import { PROJECT_PERMISSIONS, type ProjectPermission } from '../../../domain/workspace/workspace-policy.js';
import { unlessRefused } from './kit/unless-refused.js';

/** In place of all that tells in which project a CI file lies. */
export const HIDDEN_CI_FILE = 'The CI file is in another project, which you cannot see.';

interface Asking {
  readonly access: Pick<WorkspaceAccess, 'project'>;
  readonly actor: Actor;
  readonly place: PermittedProject<ProjectPermission>;
}

/** Whether a CI file lies in another project that somebody may not be told of: neither may they push here, nor do they see it. */
export const isHiddenCiFile = async ({ access, actor, place }: Asking, configPath: string | null): Promise<boolean> => {
  const code = configPath === null ? null : ciConfigPlace(configPath).code;
  if (code === null || place.level >= PROJECT_PERMISSIONS.push_code) return false;
  return (await unlessRefused(access.project(actor, code.project, 'read_project'))) === undefined;
};

/** A pipeline without what is wrong with a file that they may not be told of. */
export const withoutHiddenCiFile = async <Shown extends Pick<PipelineDetails, 'yamlErrors' | 'configPath'>>(
  asking: Asking,
  pipeline: Shown,
): Promise<Shown> =>
  pipeline.yamlErrors !== null && (await isHiddenCiFile(asking, pipeline.configPath))
    ? { ...pipeline, yamlErrors: HIDDEN_CI_FILE }
    : pipeline;
