import type { ApplyPushOptions } from '../../application/review/apply-push-options.js';
import type { DiffsOfSubject, SubjectSource } from '../../application/collaboration/ports/subject-ports.js';
import type { ApplySuggestions } from '../../application/review/apply-suggestions.js';
import type { Approvals } from '../../application/review/approvals.js';
import type { AutomaticMerges } from '../../application/review/automatic-merges.js';
import type { CommitDiffs } from '../../application/review/commit-diffs.js';
import type { DiscussedCommitReader } from '../../application/review/ports/discussed-commits.js';
import type { MergeChanges } from '../../application/review/merge-changes.js';
import type { MergeRequestActions } from '../../application/review/merge-request-actions.js';
import type { LookAgain } from '../../application/review/look-again.js';
import type { MergeRefs } from '../../application/review/merge-refs.js';
import type { MergeRequests } from '../../application/review/merge-requests.js';
import type { IssueFinder } from '../../application/review/ports/issue-finder.js';
import type { MergeRequestReader } from '../../application/review/ports/merge-request-ports.js';
import type { PreviewChanges } from '../../application/review/preview-changes.js';
import type { PushedBranches } from '../../application/review/pushed-branches.js';
import type { RebaseBranches } from '../../application/review/rebase-branches.js';
import type { RefreshMergeRequests } from '../../application/review/refresh-merge-requests.js';
import { token } from './token.js';

/** Merge requests: how one person's change becomes everybody's. */
export interface ReviewUseCases {
  readonly mergeRequestReader: MergeRequestReader;
  readonly mergeRequests: MergeRequests;
  readonly mergeRequestActions: MergeRequestActions;
  readonly refreshMergeRequests: RefreshMergeRequests;
  readonly lookAgain: LookAgain;
  readonly mergeChanges: MergeChanges;
  readonly automaticMerges: AutomaticMerges;
  readonly rebaseBranches: RebaseBranches;
  readonly approvals: Approvals;
  readonly applySuggestions: ApplySuggestions;
  readonly previewChanges: PreviewChanges;
  readonly issueFinder: IssueFinder;
  readonly mergeRequestDiffs: DiffsOfSubject;
  readonly mergeRefs: MergeRefs;
  readonly pushedBranches: PushedBranches;
  readonly applyPushOptions: ApplyPushOptions;
}

/** Commits as people talk about them. */
export interface CommitsAsSubjects {
  readonly diffs: CommitDiffs;
  readonly discussedCommits: DiscussedCommitReader;
  readonly source: SubjectSource;
}

export const REVIEW_TOKENS = {
  review: token<ReviewUseCases>('ReviewUseCases'),
  commits: token<CommitsAsSubjects>('CommitsAsSubjects'),
} as const;
