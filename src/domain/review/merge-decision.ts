import type { MergeMethod, MergeRequest, SquashOption } from './merge-request.js';
import { isDraft } from './merge-request.js';

/** Why a merge request can't be merged, in the words of `detailed_merge_status`. */
export type MergeRefusal =
  | 'not_open'
  | 'draft_status'
  | 'commits_status'
  | 'discussions_not_resolved'
  | 'ci_must_pass'
  | 'ci_still_running'
  | 'not_approved'
  | 'unchecked'
  | 'conflict'
  | 'need_rebase';

/** How the last pipeline of its newest commit stands; null where there is none. */
export type PipelineStanding = 'success' | 'running' | 'failed' | null;

/** What its project asks of a merge request. */
export interface MergeRules {
  readonly method: MergeMethod;
  readonly squash: SquashOption;
  readonly approvalsRequired: number;
  readonly pipelineMustSucceed: boolean;
  readonly discussionsMustBeResolved: boolean;
}

export interface MergeFacts {
  readonly mergeRequest: Pick<
    MergeRequest,
    'state' | 'title' | 'status' | 'ahead' | 'behind' | 'branchesThere' | 'conflicts'
  >;
  readonly rules: MergeRules;
  readonly approvals: number;
  readonly unresolvedDiscussions: boolean;
  readonly pipeline: PipelineStanding;
}

type Check = (facts: MergeFacts) => MergeRefusal | undefined;

/** Nothing was run for a commit that, say, removes the CI file: that is no success. */
const pipeline: Check = ({ rules, pipeline: standing }) => {
  if (!rules.pipelineMustSucceed || standing === 'success') return undefined;
  return standing === 'running' ? 'ci_still_running' : 'ci_must_pass';
};

/** In this order: the first one that refuses is the reason that is told. */
const CHECKS: readonly Check[] = [
  ({ mergeRequest }) => (mergeRequest.state === 'opened' ? undefined : 'not_open'),
  ({ mergeRequest }) => (isDraft(mergeRequest.title) ? 'draft_status' : undefined),
  ({ mergeRequest }) =>
    mergeRequest.branchesThere && (mergeRequest.ahead > 0 || mergeRequest.status === 'unchecked')
      ? undefined
      : 'commits_status',
  ({ rules, unresolvedDiscussions }) =>
    rules.discussionsMustBeResolved && unresolvedDiscussions ? 'discussions_not_resolved' : undefined,
  pipeline,
  ({ rules, approvals }) => (approvals >= rules.approvalsRequired ? undefined : 'not_approved'),
  ({ mergeRequest }) => (mergeRequest.status === 'unchecked' ? 'unchecked' : undefined),
  ({ mergeRequest }) => (mergeRequest.status === 'cannot_be_merged' ? 'conflict' : undefined),
  ({ mergeRequest, rules }) => (rules.method !== 'merge' && mergeRequest.behind > 0 ? 'need_rebase' : undefined),
];

/** Why a merge request can't be merged as things stand; undefined where it can. */
export const decideMerge = (facts: MergeFacts): MergeRefusal | undefined => {
  for (const check of CHECKS) {
    const refusal = check(facts);
    if (refusal !== undefined) return refusal;
  }
  return undefined;
};
