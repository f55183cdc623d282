import type { MergeFacts } from '../../../domain/review/merge-decision.js';
import type { MergeRequestDetails } from '../ports/merge-request-ports.js';

/** What decides whether a merge request can be merged. No commit has a pipeline yet. */
export const factsOf = (mergeRequest: MergeRequestDetails): MergeFacts => ({
  mergeRequest,
  rules: mergeRequest.rules,
  approvals: mergeRequest.approvals,
  unresolvedDiscussions: mergeRequest.unresolvedDiscussions,
  pipeline: null,
});
