import type { CodeWorkRepository } from '../repositories/ports/repository-repositories.js';
import type { Subscriber } from '../shared/domain-events.js';

/** Asks for the CI file of a merge request to be read once it is open. What is pushed to it later is followed with the push. */
export const pipelinesFollowMergeRequests: Subscriber<{ readonly codeWorks: CodeWorkRepository }> = async (
  event,
  { codeWorks },
) => {
  if (event.kind !== 'merge_request_opened' && event.kind !== 'merge_request_reopened') return;
  const { mergeRequest, by: userId, at } = event;
  const { id: mergeRequestId, sourceProjectId: projectId } = mergeRequest;
  if (projectId === null) return;
  await codeWorks.add({ kind: 'create_merge_request_pipeline', projectId, userId, payload: { mergeRequestId } }, at);
};
