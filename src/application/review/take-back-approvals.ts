import type { MergeRequest } from '../../domain/review/merge-request.js';
import type { MergeRequestRepository } from './ports/merge-request-ports.js';

/** What was approved has other commits now, or goes elsewhere: where the project wants it, it is to be approved anew. */
export const takeBackApprovals = async (
  mergeRequests: Pick<MergeRequestRepository, 'resetsApprovals' | 'resetApprovals'>,
  { id, projectId }: Pick<MergeRequest, 'id' | 'projectId'>,
): Promise<void> => {
  if (await mergeRequests.resetsApprovals(projectId)) await mergeRequests.resetApprovals(id);
};
