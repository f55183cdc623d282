import type { ProjectId } from '../shared/identifiers.js';
import type { CiValue } from './predefined-variables.js';

interface ProjectOfBranch {
  readonly id: ProjectId;
  readonly fullPath: string;
}

/** A merge request, as far as its pipelines are concerned. */
export interface KnownMergeRequest {
  readonly id: number;
  readonly iid: number;
  readonly isOpen: boolean;
  /** Where git finds its commits, as in `refs/merge-requests/7/head`. */
  readonly ref: string;
  /** The one that it belongs to. */
  readonly target: ProjectOfBranch & { readonly branch: string };
  /** Null once that fork is gone. */
  readonly source: (ProjectOfBranch & { readonly branch: string }) | null;
  /** Of the newest commit that was looked at, and the last one that both branches have. */
  readonly version: { readonly head: string; readonly base: string } | null;
  readonly title: string;
  /** Its beginning: of a long one a little more than jobs are told. */
  readonly description: string;
  readonly isDraft: boolean;
  readonly squashes: boolean;
  /** Usernames. */
  readonly assignees: readonly string[];
  readonly labels: readonly string[];
  readonly milestone: string | null;
}

/** Characters of its description. */
export const MOST_DESCRIBED = 2_700;
/** More aren't named. */
export const MOST_NAMED = 4;

/**
 * What is told to jobs of the merge request that they are for.
 * @param facts the commit that its changes are counted from, and whether its target branch is a protected one.
 */
export const mergeRequestVariables = (
  { id, iid, ref, target, source, ...known }: KnownMergeRequest,
  { base, targetProtected }: { readonly base: string | null; readonly targetProtected: boolean },
): readonly CiValue[] => {
  const said = {
    CI_MERGE_REQUEST_ID: String(id),
    CI_MERGE_REQUEST_IID: String(iid),
    CI_MERGE_REQUEST_EVENT_TYPE: 'detached',
    CI_MERGE_REQUEST_REF_PATH: ref,
    CI_MERGE_REQUEST_PROJECT_ID: String(target.id),
    CI_MERGE_REQUEST_PROJECT_PATH: target.fullPath,
    CI_MERGE_REQUEST_TARGET_BRANCH_NAME: target.branch,
    CI_MERGE_REQUEST_TARGET_BRANCH_PROTECTED: String(targetProtected),
    CI_MERGE_REQUEST_SOURCE_PROJECT_ID: source && String(source.id),
    CI_MERGE_REQUEST_SOURCE_PROJECT_PATH: source?.fullPath,
    CI_MERGE_REQUEST_SOURCE_BRANCH_NAME: source?.branch,
    CI_MERGE_REQUEST_DIFF_BASE_SHA: base,
    CI_MERGE_REQUEST_TITLE: known.title,
    CI_MERGE_REQUEST_DESCRIPTION: known.description.slice(0, MOST_DESCRIBED),
    CI_MERGE_REQUEST_DESCRIPTION_IS_TRUNCATED: String(known.description.length > MOST_DESCRIBED),
    CI_MERGE_REQUEST_DRAFT: String(known.isDraft),
    CI_MERGE_REQUEST_SQUASH_ON_MERGE: String(known.squashes),
    CI_MERGE_REQUEST_ASSIGNEES: known.assignees.join(',') || null,
    CI_MERGE_REQUEST_LABELS: known.labels.join(',') || null,
    CI_MERGE_REQUEST_MILESTONE: known.milestone,
  };
  // Whoever may write a title doesn't have other variables read out into it.
  return Object.entries(said).flatMap(([key, value]) => (value == null ? [] : [{ key, value, raw: true }]));
};

/** Which merge requests are open for a branch: so that jobs of the branch can leave to theirs what these do. */
export const openMergeRequestsVariable = (open: readonly KnownMergeRequest[]): readonly CiValue[] => {
  const named = open.slice(0, MOST_NAMED).map(({ target, iid }) => `${target.fullPath}!${iid}`);
  return named.length === 0 ? [] : [{ key: 'CI_OPEN_MERGE_REQUESTS', value: named.join(',') }];
};
