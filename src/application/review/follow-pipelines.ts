import type { CodeWorkRepository } from '../repositories/ports/repository-repositories.js';
import type { Subscriber } from '../shared/domain-events.js';
import type { AutomaticMergeRepository } from './ports/merge-request-ports.js';

interface Needs {
  readonly automaticMerges: AutomaticMergeRepository;
  readonly codeWorks: CodeWorkRepository;
}

/** What waited for a pipeline is merged once that has succeeded, or an older one that has counts in place of one that is removed. */
export const automaticMergesFollowPipelines: Subscriber<Needs> = async (event, { automaticMerges, codeWorks }) => {
  const succeeded = event.kind === 'pipeline_changed' && event.pipeline.status === 'success';
  if (!succeeded && event.kind !== 'pipeline_removed') return;
  const { projectId, sha } = event.pipeline;
  for (const { mergeRequestId, userId } of await automaticMerges.waitingFor(projectId, sha))
    await codeWorks.add({ kind: 'merge_automatically', projectId, userId, payload: { mergeRequestId } }, event.at);
};
