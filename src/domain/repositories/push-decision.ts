import type { ObjectId, ObjectType } from './object-id.js';
import { isNotesRef, isRefName, looksLikeFullRef, looksLikeObjectId, refPartsOf } from './ref-name.js';
import {
  branchRights,
  isProtectedTag,
  mayCreateTag,
  type BranchRights,
  type ProtectedBranch,
  type ProtectedTag,
  type RefChanger,
} from './protected-ref.js';

/** One ref that is to change; a side that is null isn't there. */
export interface RefChange {
  readonly ref: string;
  readonly from: ObjectId | null;
  readonly to: ObjectId | null;
  /** A version of the repository's refs: a ref that has moved since, there and back too, isn't the one that is meant. */
  readonly unmovedSince?: number | undefined;
}

/** A change with what was found out about its objects. */
export interface ExaminedChange extends RefChange {
  /** Of the new target; absent for a deletion. */
  readonly type?: ObjectType;
  /** Whether the old target is an ancestor of the new one; true where a side is missing. */
  readonly fastForward: boolean;
}

/** What a project says about its refs. */
export interface RefRules {
  readonly defaultBranch: string | null;
  /** No branch is there yet. */
  readonly empty: boolean;
  readonly archived: boolean;
  readonly branches: readonly ProtectedBranch[];
  readonly tags: readonly ProtectedTag[];
}

/**
 * How the change came: git can't delete what is protected, a page can; whoever merges needs no right to push. What a repository elsewhere
 * has comes whatever is protected here, as those who look after the project have it so.
 */
export type ChangedBy = 'git' | 'api' | 'merge' | 'mirror';

export type PushRefusal =
  | 'archived'
  | 'may_not_push'
  | 'branch_like_object_id'
  | 'branch_like_full_ref'
  | 'branch_needs_commit'
  | 'notes_need_commit'
  | 'default_branch_deleted'
  | 'protected_branch_deleted'
  | 'protected_branch_deleted_by_git'
  | 'protected_branch_created'
  | 'protected_branch_forced'
  | 'protected_branch_pushed'
  | 'tag_changed'
  | 'tag_like_object_id'
  | 'tag_named_as_default_branch'
  | 'protected_tag_created'
  | 'protected_tag_updated'
  | 'protected_tag_deleted'
  | 'protected_tag_deleted_by_git';

/** The words of each refusal; scripts search for them. */
export const REFUSAL_TEXTS: Readonly<Record<PushRefusal, string>> = {
  archived: "You can't push code to an archived project.",
  may_not_push: 'You are not allowed to push code to this project.',
  branch_like_object_id: 'You cannot create a branch with a SHA-1 or SHA-256 branch name.',
  branch_like_full_ref: 'You cannot create a branch whose name begins with refs/.',
  branch_needs_commit: 'A branch can only point to a commit.',
  notes_need_commit: 'Notes can only point to a commit.',
  default_branch_deleted: 'The default branch of a project cannot be deleted.',
  protected_branch_deleted:
    'You are not allowed to delete protected branches from this project. Only a project maintainer or owner can delete a protected branch.',
  protected_branch_deleted_by_git: 'You can only delete protected branches using the web interface.',
  protected_branch_created: 'You are not allowed to create protected branches on this project.',
  protected_branch_forced: 'You are not allowed to force push code to a protected branch on this project.',
  protected_branch_pushed: 'You are not allowed to push code to protected branches on this project.',
  tag_changed: 'You are not allowed to change existing tags on this project.',
  tag_like_object_id: 'You cannot create a tag with a SHA-1 or SHA-256 tag name.',
  tag_named_as_default_branch: 'You cannot use default branch name to create a tag',
  protected_tag_created: 'You are not allowed to create this tag as it is protected.',
  protected_tag_updated: 'Protected tags cannot be updated.',
  protected_tag_deleted:
    'You are not allowed to delete protected tags from this project. Only a project maintainer or owner can delete a protected tag.',
  protected_tag_deleted_by_git: 'You can only delete protected tags using the web interface.',
};

const DEVELOPER = 30;
const MAINTAINER = 40;

interface Question {
  readonly change: ExaminedChange;
  readonly name: string;
  readonly changer: RefChanger;
  readonly rules: RefRules;
  readonly by: ChangedBy;
}

type Check<Subject> = (subject: Subject) => PushRefusal | undefined;

const firstOf = <Subject>(checks: readonly Check<Subject>[], subject: Subject): PushRefusal | undefined => {
  for (const check of checks) {
    const refusal = check(subject);
    if (refusal !== undefined) return refusal;
  }
  return undefined;
};

interface BranchQuestion extends Question {
  readonly rights: BranchRights;
}

const protectedDeletion = ({ changer, by }: Question): PushRefusal | undefined => {
  if (changer.level < MAINTAINER) return 'protected_branch_deleted';
  return by === 'git' ? 'protected_branch_deleted_by_git' : undefined;
};

/** Of every branch, whoever changes it. */
const FORM_OF_BRANCHES: readonly Check<Question>[] = [
  ({ change, name, rules }) =>
    change.to === null && name === rules.defaultBranch ? 'default_branch_deleted' : undefined,
  ({ change, name }) => (change.from === null && looksLikeObjectId(name) ? 'branch_like_object_id' : undefined),
  ({ change, name }) => (change.from === null && looksLikeFullRef(name) ? 'branch_like_full_ref' : undefined),
  ({ change }) => (change.to !== null && change.type !== 'commit' ? 'branch_needs_commit' : undefined),
];

const BRANCH_CHECKS: readonly Check<BranchQuestion>[] = [
  ...FORM_OF_BRANCHES,
  (question) => (question.rights.protected && question.change.to === null ? protectedDeletion(question) : undefined),
  ({ change, rights }) =>
    rights.protected && change.to !== null && !change.fastForward && !rights.forcePush
      ? 'protected_branch_forced'
      : undefined,
  ({ change, rights, rules }) =>
    rights.protected && change.from === null && !rules.empty && !rights.push ? 'protected_branch_created' : undefined,
  ({ change, rights, by }) =>
    rights.protected && change.to !== null && !(by === 'merge' ? rights.merge : rights.push)
      ? 'protected_branch_pushed'
      : undefined,
];

/** Of every tag. */
const FORM_OF_TAGS: readonly Check<Question>[] = [
  ({ change, name }) => (change.from === null && looksLikeObjectId(name) ? 'tag_like_object_id' : undefined),
  ({ change, name, rules }) =>
    change.from === null && name === rules.defaultBranch ? 'tag_named_as_default_branch' : undefined,
];

const TAG_CHECKS: readonly Check<Question>[] = [
  ({ change, changer }) => (change.from !== null && changer.level < MAINTAINER ? 'tag_changed' : undefined),
  ...FORM_OF_TAGS,
  ({ change, name, rules }) =>
    change.from !== null && change.to !== null && isProtectedTag(name, rules.tags)
      ? 'protected_tag_updated'
      : undefined,
  ({ change, name, rules, changer, by }) => {
    if (change.to !== null || !isProtectedTag(name, rules.tags)) return undefined;
    if (changer.level < MAINTAINER) return 'protected_tag_deleted';
    return by === 'git' ? 'protected_tag_deleted_by_git' : undefined;
  },
  ({ change, name, rules, changer }) =>
    change.from === null && !mayCreateTag(name, rules.tags, changer) ? 'protected_tag_created' : undefined,
];

/** Until a project has a branch, only who could push to a protected one begins it. */
const EMPTY_PROJECT: readonly ProtectedBranch[] = [{ name: '*', pushLevel: 40, mergeLevel: 40, allowForcePush: false }];

/** Who is invited to a branch moves it; nobody is invited to make or remove one, or to what is protected. */
const isInvited = ({ change: { from, to }, name, changer, rules }: Question, kind: 'branch' | 'tag'): boolean =>
  kind === 'branch' &&
  from !== null &&
  to !== null &&
  changer.invitedTo?.has(name) === true &&
  !branchRights(name, rules.branches, changer).protected;

/** Whoever has a repository elsewhere mirrored must be able to do so still. */
const decideMirrored = (question: Question, kind: 'branch' | 'tag'): PushRefusal | undefined => {
  if (question.changer.level < MAINTAINER) return 'may_not_push';
  return firstOf(kind === 'tag' ? FORM_OF_TAGS : FORM_OF_BRANCHES, question);
};

const decideChange = (question: Question, kind: 'branch' | 'tag'): PushRefusal | undefined => {
  const { name, rules, changer } = question;
  if (rules.archived) return 'archived';
  if (question.by === 'mirror') return decideMirrored(question, kind);
  if (changer.level < DEVELOPER && !isInvited(question, kind)) return 'may_not_push';
  if (kind === 'tag') return firstOf(TAG_CHECKS, question);
  const protections = rules.empty ? [...EMPTY_PROJECT, ...rules.branches] : rules.branches;
  return firstOf(BRANCH_CHECKS, { ...question, rights: branchRights(name, protections, changer) });
};

/** Notes of git have no rules of their own: whoever may push at all changes them. */
const decideNotes = (
  { ref, to, type }: ExaminedChange,
  { level }: RefChanger,
  { archived }: RefRules,
): PushRefusal | undefined => {
  if (!isNotesRef(ref)) return undefined;
  if (archived) return 'archived';
  if (level < DEVELOPER) return 'may_not_push';
  return to !== null && type !== 'commit' ? 'notes_need_commit' : undefined;
};

export interface RefusedChange {
  readonly ref: string;
  readonly reason: PushRefusal;
}

/** Why a push is refused: the reason of each change that a rule forbids. One is enough to refuse the whole push. */
export const decidePush = (
  changes: readonly ExaminedChange[],
  changer: RefChanger,
  rules: RefRules,
  by: ChangedBy,
): readonly RefusedChange[] =>
  changes.flatMap((change) => {
    const parts = refPartsOf(change.ref);
    const reason =
      parts === undefined
        ? decideNotes(change, changer, rules)
        : decideChange({ change, name: parts.name, changer, rules, by }, parts.kind);
    return reason === undefined ? [] : [{ ref: change.ref, reason }];
  });

/** Why a ref can't be changed by anybody from outside, in git's own words; it fails alone. */
export const unfitRef = (ref: string): string | undefined => {
  if (refPartsOf(ref) === undefined && !isNotesRef(ref)) return 'deny updating a hidden ref';
  return isRefName(ref) ? undefined : 'funny refname';
};
