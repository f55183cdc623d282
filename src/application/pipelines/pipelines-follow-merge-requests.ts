import type { CodeWorkRepository } from '../repositories/ports/repository-repositories.js';
import type { DomainEvent, MergeRequestEvent, Subscriber } from '../shared/domain-events.js';

const FOLLOWED: ReadonlySet<DomainEvent['kind']> = new Set<MergeRequestEvent['kind']>([
  'merge_request_opened',
  'merge_request_reopened',
  'merge_request_retargeted',
]);

const isFollowed = (event: DomainEvent): event is MergeRequestEvent => FOLLOWED.has(event.kind);

/** Asks for the CI file of a merge request to be read once it is open, and once it is to go elsewhere. What is pushed to it later is followed with the push. */
export const pipelinesFollowMergeRequests: Subscriber<{ readonly codeWorks: CodeWorkRepository }> = async (
  event,
  { codeWorks },
) => {
  if (!isFollowed(event)) return;
  const { mergeRequest, by: userId, at } = event;
  const { id: mergeRequestId, sourceProjectId: projectId } = mergeRequest;
  if (projectId === null) return;
  await codeWorks.add({ kind: 'create_merge_request_pipeline', projectId, userId, payload: { mergeRequestId } }, at);
};
