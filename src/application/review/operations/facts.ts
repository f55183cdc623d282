import { hasEnded, type Pipeline } from '../../../domain/pipelines/pipeline.js';
import type { MergeFacts, PipelineStanding } from '../../../domain/review/merge-decision.js';
import type { MergeRequestDetails } from '../ports/merge-request-ports.js';

/** A pipeline as far as merging cares: one that was skipped checked nothing. */
export const standingOf = (pipeline: Pick<Pipeline, 'status'> | null): PipelineStanding => {
  if (pipeline === null) return null;
  if (!hasEnded(pipeline.status)) return 'running';
  return pipeline.status === 'success' ? 'success' : 'failed';
};

/** As `standingOf`; as if one ran where there is none, and the CI file is still to be read. */
export const standingWhile = (awaited: boolean, pipeline: Pick<Pipeline, 'status'> | null): PipelineStanding =>
  standingOf(pipeline) ?? (awaited ? 'running' : null);

/** What decides whether a merge request can be merged. */
export const factsOf = (mergeRequest: MergeRequestDetails): MergeFacts => ({
  mergeRequest,
  rules: mergeRequest.rules,
  approvals: mergeRequest.approvals,
  unresolvedDiscussions: mergeRequest.unresolvedDiscussions,
  pipeline: mergeRequest.runsCi ? standingOf(mergeRequest.pipeline) : null,
});
