import type { PipelineReader } from '../../../../../application/pipelines/ports/pipeline-ports.js';
import type { Commit } from '../../../../../application/repositories/ports/object-stores.js';
import type { PermittedProject } from '../../../../../application/shared/permitted.js';
import { isOffered, type ProjectPermission } from '../../../../../domain/workspace/workspace-policy.js';

/** The newest pipeline of each of some commits, for whoever may read pipelines. */
export const newestPipelines = async (
  { pipelineReader }: { readonly pipelineReader: Pick<PipelineReader, 'newestOf'> },
  { project, level }: PermittedProject<ProjectPermission>,
  commits: readonly Pick<Commit, 'id'>[],
): ReturnType<PipelineReader['newestOf']> =>
  isOffered(project, level, 'read_pipelines')
    ? pipelineReader.newestOf(
        project.id,
        commits.map(({ id }) => id),
      )
    : new Map();
