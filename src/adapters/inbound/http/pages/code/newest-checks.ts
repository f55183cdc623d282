import type { CommitStatusDetails, PipelineReader } from '../../../../../application/pipelines/ports/pipeline-ports.js';
import type { Commit } from '../../../../../application/repositories/ports/object-stores.js';
import type { PermittedProject } from '../../../../../application/shared/permitted.js';
import type { Pipeline } from '../../../../../domain/pipelines/pipeline.js';
import { isOffered, type ProjectPermission } from '../../../../../domain/workspace/workspace-policy.js';
import { newestPipelines } from './newest-pipelines.js';

/** The newest pipeline of a commit, where it has one that the viewer may read, and what is checked of the commit. */
interface NewestChecks {
  readonly pipeline: Pipeline | undefined;
  readonly checks: readonly CommitStatusDetails[];
}

/** As many as the page of a commit shows. */
const FEW = { page: 1, perPage: 20 };

/** Whoever may not read pipelines is told what programs elsewhere say of the commit, as by the API. */
export const newestChecks = async (
  { pipelineReader }: { readonly pipelineReader: Pick<PipelineReader, 'newestOf' | 'checksOf' | 'statuses'> },
  permitted: PermittedProject<ProjectPermission>,
  commit: Pick<Commit, 'id'>,
): Promise<NewestChecks> => {
  const { project, level } = permitted;
  if (isOffered(project, level, 'read_pipelines')) {
    const pipeline = (await newestPipelines({ pipelineReader }, permitted, [commit])).get(commit.id);
    return { pipeline, checks: pipeline === undefined ? [] : await pipelineReader.checksOf(pipeline.id) };
  }
  const { items: checks } = await pipelineReader.statuses({
    ...{ projectId: project.id, sha: commit.id, withoutJobs: true, all: false },
    ...{ orderBy: 'id', sort: 'desc', page: FEW },
  });
  return { pipeline: undefined, checks };
};
