import { ACCESS_LEVEL } from '../shared/access-level.js';
import type { ProjectId, UserId } from '../shared/identifiers.js';
import type { ProblemCollector } from '../shared/problem-collector.js';

/** Merging is one unit of work: nobody ever sees one that is half merged, so none is kept as locked. */
export type MergeRequestState = 'opened' | 'closed' | 'merged';

/** How a project takes changes: by a merge commit, by one that only joins what follows, or by moving the branch forward alone. */
export const MERGE_METHODS = ['merge', 'rebase_merge', 'ff'] as const;
export type MergeMethod = (typeof MERGE_METHODS)[number];

/** Whether the commits of a merge request become one: as its project says, or as whoever opens or merges it does. */
export const SQUASH_OPTIONS = ['never', 'always', 'default_on', 'default_off'] as const;
export type SquashOption = (typeof SQUASH_OPTIONS)[number];

/** Reviewers that a project can ask for. */
export const MOST_APPROVALS = 100;

/** @param wanted by whoever opens or merges it. */
export const squashes = (option: SquashOption, wanted: boolean | undefined): boolean => {
  if (option === 'always' || option === 'never') return option === 'always';
  return wanted ?? option === 'default_on';
};

/** Whether it could be merged, as found out for a pair of commits; `unchecked` since one of the two has moved. */
export type MergeStatus = 'unchecked' | 'can_be_merged' | 'cannot_be_merged';

/**
 * Whether it is known whether it can be merged. Where no conflict is named, git may have had too little time, on a machine that was busy: that
 * looks like branches without a commit in common, and is found out again when somebody wants to know.
 */
export const isFoundOut = ({
  status,
  conflicts,
  branchesThere,
  ahead,
}: Pick<MergeRequest, 'status' | 'conflicts' | 'branchesThere' | 'ahead'>): boolean =>
  status === 'can_be_merged' ||
  (status === 'cannot_be_merged' && (conflicts.length > 0 || !branchesThere || ahead === 0));

export interface BranchPair {
  /** Where it is to be merged into; the merge request belongs to it. */
  readonly projectId: ProjectId;
  readonly targetBranch: string;
  /** Null once that fork is gone. */
  readonly sourceProjectId: ProjectId | null;
  readonly sourceBranch: string;
}

export interface MergeRequest extends BranchPair {
  readonly id: number;
  /** Counted within the project; what people call it by. */
  readonly iid: number;
  readonly title: string;
  readonly description: string;
  readonly state: MergeRequestState;
  readonly authorId: UserId | null;
  readonly milestoneId: number | null;
  /** Where the source branch is, or was last. */
  readonly sourceSha: string | null;
  readonly status: MergeStatus;
  /** How many commits each side has that the other one lacks, when it was looked at last. */
  readonly ahead: number;
  readonly behind: number;
  /** Whether both branches were there then. */
  readonly branchesThere: boolean;
  /** Files that can't be merged by a machine. */
  readonly conflicts: readonly string[];
  readonly mergeError: string | null;
  readonly squash: boolean;
  /** Wanted by whoever opened it; null where nobody said. */
  readonly removeSourceBranch: boolean | null;
  /** Decided by whoever merged it. */
  readonly sourceBranchRemoved: boolean | null;
  readonly allowCollaboration: boolean;
  readonly discussionLocked: boolean | null;
  readonly mergeCommitSha: string | null;
  readonly squashCommitSha: string | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  readonly mergedAt: Date | null;
  readonly mergedById: UserId | null;
  readonly closedAt: Date | null;
  readonly closedById: UserId | null;
}

const MAX_TITLE = 255;
export const MAX_DESCRIPTION = 1_000_000;

const DRAFT = /^(?:\[(?:draft|wip)\]|\((?:draft|wip)\)|(?:draft|wip):|draft -)\s*/i;

/** Whether a title says that it isn't ready. */
export const isDraft = (title: string): boolean => DRAFT.test(title.trimStart());

/** The title as it is once it says that it isn't ready, or doesn't any more. */
export const retitled = (title: string, draft: boolean): string => {
  let ready = title.trimStart();
  while (DRAFT.test(ready)) ready = ready.replace(DRAFT, '');
  return draft ? `Draft: ${ready}` : ready;
};

export const checkMergeRequest = (
  problems: ProblemCollector,
  { title, description }: Pick<MergeRequest, 'title' | 'description'>,
): void => {
  problems
    // That it isn't ready is no title.
    .check(retitled(title, false).trim() !== '', 'title', "can't be blank")
    .check(title.length <= MAX_TITLE, 'title', `is too long (maximum is ${MAX_TITLE} characters)`)
    .check(
      description.length <= MAX_DESCRIPTION,
      'description',
      `is too long (maximum is ${MAX_DESCRIPTION} characters)`,
    );
};

/** Somebody beside a merge request: who they are and what level they have in its project. */
export interface MergeRequestParty {
  readonly userId: UserId;
  readonly level: number;
}

/** Whoever opened it looks after it, and so does whoever may change the code. */
export const mayChange = (
  { authorId }: Pick<MergeRequest, 'authorId'>,
  { userId, level }: MergeRequestParty,
): boolean => authorId === userId || level >= ACCESS_LEVEL.developer;

/** Who may comment is said by those who may change the code, not by who opened one. */
export const mayLock = ({ level }: Pick<MergeRequestParty, 'level'>): boolean => level >= ACCESS_LEVEL.developer;

/** Nobody approves what they wrote. */
export const mayApprove = (
  { authorId, state }: Pick<MergeRequest, 'authorId' | 'state'>,
  { userId, level }: MergeRequestParty,
): boolean => state === 'opened' && authorId !== userId && level >= ACCESS_LEVEL.developer;
