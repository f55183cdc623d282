import type { ProjectId, UserId } from '../../../domain/shared/identifiers.js';

/** What people are mailed about: events that they control, and alerts, which their project switches on. */
export type CauseKind =
  | 'new_note'
  | 'new_mention'
  | 'new_issue'
  | 'reopen_issue'
  | 'close_issue'
  | 'reassign_issue'
  | 'label_issue'
  | 'issue_due'
  | 'new_merge_request'
  | 'push_to_merge_request'
  | 'reopen_merge_request'
  | 'close_merge_request'
  | 'reassign_merge_request'
  | 'label_merge_request'
  | 'merge_merge_request'
  | 'failed_pipeline'
  | 'fixed_pipeline'
  | 'success_pipeline'
  | 'moved_project'
  | 'alert_opened'
  | 'alert_resolved';

/** Whether a cause is that a subject was opened: nobody can have had a part in it before. */
export const isOpening = (kind: CauseKind): boolean => kind === 'new_issue' || kind === 'new_merge_request';

/** Whether a cause is that a text was changed and names people whom it did not name before: they alone are told. */
export const isOfMention = (kind: CauseKind): kind is 'new_mention' => kind === 'new_mention';

/** Something got labels: whoever subscribed to one of them is told, and nobody else. */
export type KindOfLabelling = 'label_issue' | 'label_merge_request';

export const isOfLabelling = (kind: CauseKind): kind is KindOfLabelling => kind.startsWith('label_');

export type KindOfAlert = 'alert_opened' | 'alert_resolved';

export const isOfAlert = (kind: CauseKind): kind is KindOfAlert => kind.startsWith('alert_');

export type KindOfPipeline = 'failed_pipeline' | 'fixed_pipeline' | 'success_pipeline';

export const isOfPipeline = (kind: CauseKind): kind is KindOfPipeline => kind.endsWith('_pipeline');

/** A pipeline as it ended. */
export interface EndedPipeline {
  readonly id: number;
  readonly iid: number;
  readonly ref: string;
  readonly sha: string;
  /** Names of checks that failed. */
  readonly failed: readonly string[];
}

export interface CauseDetails {
  /** Who was assigned, and who no longer is. */
  readonly added?: readonly UserId[];
  readonly removed?: readonly UserId[];
  /** Whether they are asked to review, rather than assigned. */
  readonly reviewing?: boolean;
  /** The ids of the labels that it was opened with, or that it got. */
  readonly labels?: readonly number[];
  /** Folded names of those whom a text names since it was changed, and did not name before. */
  readonly mentioned?: readonly string[];
  /** What has ended. */
  readonly pipeline?: EndedPipeline;
}

export interface NewCause {
  readonly kind: CauseKind;
  readonly projectId: ProjectId;
  readonly subjectId?: number;
  readonly noteId?: number;
  readonly alertId?: number;
  /** Absent where the clock did it. */
  readonly actorId?: UserId;
  readonly details: CauseDetails;
  readonly at: Date;
}

export interface Cause {
  readonly id: number;
  readonly kind: CauseKind;
  readonly projectId: ProjectId;
  readonly subjectId: number | null;
  readonly noteId: number | null;
  readonly alertId: number | null;
  readonly actorId: UserId | null;
  readonly details: CauseDetails;
  /** Everybody up to this id has been gone through. */
  readonly toldUpTo: number;
  readonly at: Date;
}

/** What happened and is to be told by mail; it goes away with the project, subject, comment or alert that it is about. */
export interface CauseRepository {
  /** @returns their ids, in this order. */
  add(causes: readonly (NewCause & { readonly expiresAt: Date })[]): Promise<readonly number[]>;
  /** Those of some that are still there, in the order of their ids. */
  findAll(ids: readonly number[]): Promise<readonly Cause[]>;
  tellUpTo(id: number, userId: UserId): Promise<void>;
}

/** An issue that will be due, or is, and of whose due date nobody was reminded yet. */
export interface DueIssue {
  readonly id: number;
  readonly projectId: ProjectId;
  readonly dueDate: string;
}

export interface DueIssueRepository {
  /** Open ones in projects that are there, due from one day to another, both included; at most `limit`. */
  unreminded(from: string, to: string, limit: number): Promise<readonly DueIssue[]>;
  /** False when somebody else reminds of it already. */
  remind(issue: DueIssue, at: Date): Promise<boolean>;
}
