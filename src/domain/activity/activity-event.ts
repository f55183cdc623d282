import type { ProjectId, UserId } from '../shared/identifiers.js';
import type { SubjectType } from '../shared/subject.js';

/** The values of the `action` filter. */
export const ACTIONS = [
  'approved',
  'created',
  'updated',
  'closed',
  'reopened',
  'pushed',
  'commented',
  'merged',
  'joined',
  'left',
  'destroyed',
  'expired',
] as const;
export type Action = (typeof ACTIONS)[number];

/** The values of the `target_type` filter. */
export const TARGET_TYPES = ['issue', 'milestone', 'merge_request', 'note', 'project', 'snippet', 'user'] as const;
export type TargetType = (typeof TARGET_TYPES)[number];

/** What an entry is about, as it stood then. A push is about nothing. */
export interface Target {
  readonly type: TargetType;
  readonly id: number;
  /** The number within the project, where it has one. */
  readonly iid: number | null;
  readonly title: string | null;
}

/** What was pushed. The side of a ref that is missing is null. */
export interface Push {
  readonly commitCount: number;
  readonly action: 'created' | 'removed' | 'pushed';
  readonly refType: 'branch' | 'tag';
  readonly commitFrom: string | null;
  readonly commitTo: string | null;
  /** Empty where it is about many. */
  readonly ref: string;
  /** Of a push that is about many refs. */
  readonly refCount?: number;
  readonly commitTitle: string | null;
}

/** The comment of an entry, and what was commented on. */
export interface Comment {
  readonly body: string;
  readonly noteableType: SubjectType;
  /** Null for a commit, which has a hash. */
  readonly noteableId: number | null;
  readonly noteableIid: number | null;
}

/** An entry of the feed: somebody did something in a project. */
export interface ActivityEvent {
  readonly id: number;
  readonly projectId: ProjectId;
  readonly authorId: UserId;
  readonly action: Action;
  readonly target: Target | null;
  readonly push: Push | null;
  readonly comment: Comment | null;
  readonly createdAt: Date;
}

/** What somebody must be allowed to read to be told of an entry. */
export type Told = 'code' | 'issues' | 'milestones' | 'merge_requests' | 'snippets';

const TOLD_BY_COMMENTS = {
  Issue: 'issues',
  MergeRequest: 'merge_requests',
  Snippet: 'snippets',
  Commit: 'code',
} as const satisfies Readonly<Record<SubjectType, Told>>;
const TOLD_BY_TARGETS: Readonly<Partial<Record<TargetType, Told>>> = {
  issue: 'issues',
  milestone: 'milestones',
  merge_request: 'merge_requests',
  snippet: 'snippets',
};

/** Undefined for what is of the project itself. */
export const toldBy = ({
  target,
  push,
  comment,
}: Pick<ActivityEvent, 'target' | 'push' | 'comment'>): Told | undefined => {
  if (push !== null) return 'code';
  if (comment !== null) return TOLD_BY_COMMENTS[comment.noteableType];
  return target === null ? undefined : TOLD_BY_TARGETS[target.type];
};

/** The phrases of actions where they are not the words of the filter. */
const PHRASES: Readonly<Partial<Record<Action, string>>> = {
  reopened: 'opened',
  commented: 'commented on',
  merged: 'accepted',
  expired: 'removed due to membership expiration from',
};

const PUSH_PHRASES: Readonly<Record<Push['action'], string>> = {
  created: 'pushed new',
  removed: 'deleted',
  pushed: 'pushed',
};

/** What `action_name` says of an entry. */
export const phraseOf = ({ action, target, push }: Pick<ActivityEvent, 'action' | 'target' | 'push'>): string => {
  if (action === 'pushed') return PUSH_PHRASES[push?.action ?? 'pushed'];
  if (action === 'created') return target?.type === 'project' ? 'created' : 'opened';
  return PHRASES[action] ?? action;
};
