import type { MergeRequest } from '../../domain/review/merge-request.js';
import type { BotPlace } from '../../domain/identity/bot.js';
import type { Issue } from '../../domain/planning/issue.js';
import type { ProjectId, UserId } from '../../domain/shared/identifiers.js';
import type { Subject } from '../../domain/shared/subject.js';
import type { SubjectChanges } from '../../domain/shared/subject-changes.js';
import type { RequestedPlace } from '../../domain/workspace/access-request.js';
import type { DeploymentEvent, JobEvent, PipelineEvent } from './ci-events.js';
import type { GroupMovedEvent, ProjectEvent } from './place-events.js';
import type { CodeCopiedEvent, CodeImportEvent, ProjectForkedEvent } from './code-events.js';

/** An issue as it stood once what is told had happened. */
export type IssueFacts = Pick<
  Issue,
  'id' | 'iid' | 'projectId' | 'kind' | 'title' | 'description' | 'confidential' | 'authorId'
>;

/** A subject as it stood once what is told had happened. */
export interface SubjectFacts extends Subject {
  /** Its number within the project, where it has one. */
  readonly iid: number | null;
  /** What people know it by, where that is neither its number nor its id. */
  readonly ownId?: number;
  readonly title: string;
  /** Whether it is told to those alone who see confidential issues. */
  readonly confidential: boolean;
}

export interface NoteFacts {
  readonly id: number;
  readonly body: string;
}

export interface MilestoneFacts {
  readonly id: number;
  readonly iid: number;
  readonly projectId: ProjectId;
  readonly title: string;
}

/** What closed an issue, where nobody did it by hand: as much of it as everybody may know who sees the issue. */
export type ClosingCause = { readonly commit: string } | { readonly mergeRequestId: number };

/** What happened to an issue, and who did it. */
export type IssueEvent =
  | (IssueHappening<'issue_opened'> & Labelled)
  | IssueHappening<'issue_reopened' | 'issue_removed'>
  | (IssueHappening<'issue_closed'> & { readonly cause?: ClosingCause })
  /** It is about to be closed or removed, and nothing of it is locked yet: what is locked before issues is locked now. */
  | IssueHappening<'issue_ending'>
  /** Its confidentiality is another than before. */
  | IssueHappening<'issue_hidden' | 'issue_unhidden'>
  | (IssueHappening<'issue_reassigned'> & {
      readonly added: readonly UserId[];
      readonly removed: readonly UserId[];
    })
  /** It got labels that it did not have. */
  | (IssueHappening<'issue_labelled'> & Labelled)
  /** All that one act changed of it but its state. */
  | (IssueHappening<'issue_edited'> & Edited);

interface Edited {
  readonly changes: SubjectChanges;
}

interface Labelled {
  /** The ids of the labels that it got. */
  readonly labels: readonly number[];
}

interface IssueHappening<Kind extends string> {
  readonly kind: Kind;
  readonly issue: IssueFacts;
  readonly by: UserId;
  readonly at: Date;
}

/** What was said of a subject, whichever kind it is. */
export interface NoteEvent {
  readonly kind: 'note_added' | 'note_removed';
  readonly subject: SubjectFacts;
  readonly note: NoteFacts;
  readonly by: UserId;
  readonly at: Date;
}

/** What was said of a subject says something else now. */
export interface NoteEditEvent {
  readonly kind: 'note_edited';
  readonly subject: SubjectFacts;
  readonly note: NoteFacts;
  /** The text that it was. */
  readonly previous: string;
  readonly by: UserId;
  readonly at: Date;
}

/** Somebody gave an award to a subject, or to what was said of it. */
export interface AwardEvent {
  readonly kind: 'award_given';
  readonly subject: SubjectFacts;
  readonly by: UserId;
  readonly at: Date;
}

/** Fewer people may see a snippet than before, or more. */
export interface SnippetEvent {
  readonly kind: 'snippet_hidden' | 'snippet_unhidden';
  readonly subject: SubjectFacts;
}

/** A subject is about to be removed with all that was said of it, which still is there. Its own context tells that it was, too. */
export interface SubjectRemovedEvent {
  readonly kind: 'subject_removed';
  readonly subject: SubjectFacts;
  readonly by: UserId;
  readonly at: Date;
}

export interface MilestoneEvent {
  readonly kind: 'milestone_opened' | 'milestone_closed' | 'milestone_reopened' | 'milestone_removed';
  readonly milestone: MilestoneFacts;
  readonly by: UserId;
  readonly at: Date;
}

/** Of direct memberships of projects; `by` is the member himself. */
export interface MembershipEvent {
  readonly kind: 'member_joined' | 'member_left' | 'member_expired';
  readonly projectId: ProjectId;
  readonly by: UserId;
  readonly at: Date;
}

/** Somebody asked to be a member of a project or group, or was told yes or no: `by` is who said so. */
export type AccessRequestEvent =
  | {
      readonly kind: 'access_requested';
      readonly place: RequestedPlace;
      readonly requesterId: UserId;
      /** Whether they asked not long ago, and that was withdrawn or denied. */
      readonly again: boolean;
      readonly at: Date;
    }
  | (DecidedRequest<'access_granted'> & { readonly accessLevel: number })
  | DecidedRequest<'access_denied'>;

interface DecidedRequest<Kind extends string> {
  readonly kind: Kind;
  readonly place: RequestedPlace;
  readonly requesterId: UserId;
  readonly by: UserId;
  readonly at: Date;
}

/** Somebody chose another default branch; null is none. Whoever keeps branches refuses one that isn't there. */
export interface DefaultBranchEvent {
  readonly kind: 'default_branch_chosen';
  readonly projectId: ProjectId;
  readonly branch: string | null;
}

/** A ref that a push changed; a side that is null isn't there. */
export interface PushedRef {
  readonly kind: 'branch' | 'tag';
  readonly name: string;
  readonly from: string | null;
  readonly to: string | null;
  /** False where commits were lost to it. */
  readonly fastForward: boolean;
  readonly commitCount: number;
  /** First line of the newest commit's message. */
  readonly commitTitle: string | null;
  /** False where it is known that no message of those commits names an issue. */
  readonly namesIssues?: boolean;
  /** False where it is known that it has no CI file where its project looks for one. */
  readonly hasCiFile?: boolean;
}

/** Refs have moved, by a push or by the API. */
export interface PushEvent {
  readonly kind: 'pushed';
  readonly projectId: ProjectId;
  readonly refs: readonly PushedRef[];
  /** Of `git push -o`, as git sends them. */
  readonly options?: readonly string[];
  /** Brought from elsewhere, and nobody's news: neither the feed nor webhooks tell of it, no pipeline begins, and no issue is closed. */
  readonly quiet?: boolean;
  readonly by: UserId;
  /** By a machine, whose key is somebody's, and which opens this project alone, or brought from elsewhere: it stands for nobody in other projects. */
  readonly byMachine?: true;
  readonly at: Date;
}

/** Others see a project than before, and others read its code. */
export interface VisibilityEvent {
  readonly kind: 'project_visibility_changed';
  readonly projectId: ProjectId;
  readonly at: Date;
}

/** A merge request as it stood once what is told had happened. */
export type MergeRequestFacts = Pick<
  MergeRequest,
  | 'id'
  | 'iid'
  | 'projectId'
  | 'title'
  | 'description'
  | 'authorId'
  | 'sourceProjectId'
  | 'sourceBranch'
  | 'targetBranch'
>;

interface MergeRequestHappening<Kind extends string> {
  readonly kind: Kind;
  readonly mergeRequest: MergeRequestFacts;
  readonly by: UserId;
  readonly at: Date;
}

/** What happened to a merge request, and who did it. */
export type MergeRequestEvent =
  | MergeRequestHappening<
      | 'merge_request_retargeted'
      | 'merge_request_closed'
      | 'merge_request_reopened'
      | 'merge_request_merged'
      | 'merge_request_approved'
      | 'merge_request_unapproved'
      | 'merge_request_removed'
    >
  | (MergeRequestHappening<'merge_request_opened'> & Labelled)
  /** All that one act changed of it but its state. */
  | (MergeRequestHappening<'merge_request_edited'> & Edited)
  /** It got labels that it did not have. */
  | (MergeRequestHappening<'merge_request_labelled'> & Labelled)
  /** Its source branch got commits, or lost some. */
  | (MergeRequestHappening<'merge_request_pushed'> & { readonly from: string | null; readonly to: string })
  | (MergeRequestHappening<'merge_request_reassigned' | 'merge_request_reviewers_chosen'> & {
      readonly added: readonly UserId[];
      readonly removed: readonly UserId[];
    });

/** People were told of a tag, or are told otherwise. */
export interface ReleaseEvent {
  readonly kind: 'release_created' | 'release_changed';
  readonly projectId: ProjectId;
  readonly tag: string;
  readonly by: UserId;
  readonly at: Date;
}

export interface AlertFacts {
  readonly id: number;
  readonly iid: number;
  readonly projectId: ProjectId;
  readonly title: string;
}

/** Of what monitoring does, the alert bot does it. */
export interface AlertEvent {
  readonly kind: 'alert_opened' | 'alert_resolved';
  readonly alert: AlertFacts;
  readonly by: UserId;
  readonly at: Date;
}

export type AccountEvent =
  | {
      readonly kind: 'account_created';
      readonly accountId: UserId;
      readonly username: string;
      readonly name: string;
      readonly at: Date;
    }
  | { readonly kind: 'account_renamed'; readonly accountId: UserId; readonly username: string; readonly name: string }
  /** What it asked of others is answered by that; what it has stays. */
  | { readonly kind: 'account_blocked'; readonly accountId: UserId }
  /** What other contexts handed out under the old password ends. */
  | {
      readonly kind: 'access_ended';
      readonly accountId: UserId;
      readonly reason: 'password_changed';
      readonly at: Date;
    }
  /** Somebody tried to sign in to an account that there is none of. */
  | { readonly kind: 'unknown_sign_in'; readonly accountId: null; readonly at: Date }
  /** The token of a bot has ended, and so has the bot: it is a member no longer. */
  | { readonly kind: 'bot_retired'; readonly accountId: UserId; readonly place: BotPlace; readonly at: Date }
  /** It is about to be: whatever can't do without it refuses. */
  | { readonly kind: 'account_removed'; readonly accountId: UserId };

/** What happened, told inside the transaction in which it did. */
export type DomainEvent =
  | IssueEvent
  | NoteEvent
  | NoteEditEvent
  | AwardEvent
  | SubjectRemovedEvent
  | SnippetEvent
  | MilestoneEvent
  | MembershipEvent
  | AccessRequestEvent
  | ProjectEvent
  | GroupMovedEvent
  | ProjectForkedEvent
  | CodeCopiedEvent
  | CodeImportEvent
  | PushEvent
  | VisibilityEvent
  | MergeRequestEvent
  | DefaultBranchEvent
  | PipelineEvent
  | JobEvent
  | DeploymentEvent
  | ReleaseEvent
  | AlertEvent
  | AccountEvent;

/** Tells everybody who has to act on what happened in the same transaction. */
export interface DomainEvents {
  /** Resolves once every subscriber has acted on all of them. */
  publish(...events: readonly DomainEvent[]): Promise<void>;
}

/** Acts on events by the repositories of their own transaction. */
export type Subscriber<Repositories> = Follower<Repositories> | SetFollower<Repositories>;

/** Acts on one event after the other. */
export type Follower<Repositories> = (event: DomainEvent, repositories: Repositories) => Promise<void>;

/**
 * Acts on all events that are published together at once: a set costs about as many statements as one event does. Those that stand
 * beside each other in the list of subscribers act at the same time, so none may need what another one has written.
 */
export interface SetFollower<Repositories> {
  readonly follow: (events: readonly DomainEvent[], repositories: Repositories) => Promise<void>;
}
