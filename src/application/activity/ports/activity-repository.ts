import type { ActivityEvent, Comment } from '../../../domain/activity/activity-event.js';
import type { ProjectId } from '../../../domain/shared/identifiers.js';

export type NewActivityEvent = Omit<ActivityEvent, 'id' | 'comment'> & {
  /** `body` is absent where the comment itself is there to be read. */
  readonly comment: (Omit<Comment, 'body'> & { readonly body?: string }) | null;
  /** Only who sees confidential issues sees it, beside who has to do with its issue. */
  readonly confidential: boolean;
  /** Where code isn't open to everybody who sees the project, reporters read of it. */
  readonly tellsOfCode: boolean;
  /** What it is about, or was said of: an issue says who sees it. */
  readonly subjectId: number | null;
};

export interface RemovedEntries {
  readonly count: number;
  /** When the youngest of them was made. Absent where there was none. */
  readonly reached?: Date;
}

/** Where in the feed of a project something is looked for: behind the entry that was looked at last. */
export interface FeedPlace {
  readonly projectId: ProjectId;
  readonly after?: { readonly createdAt: Date; readonly id: number };
}

/** Writes the feed, in the transaction of what it tells. */
export interface ActivityRepository {
  /** In this order. */
  record(events: readonly NewActivityEvent[]): Promise<void>;
  /** What tells of an issue is from now on seen by those who see confidential issues only, or by everybody again. */
  conceal(projectId: ProjectId, subjectId: number, confidential: boolean): Promise<void>;
  /**
   * Looks at so many entries from a place on, and lets those that tell of code be seen by whom the project, as it is now, lets read it.
   * Answers where to go on; undefined at the end.
   */
  fileEntriesOfCode(place: FeedPlace, limit: number): Promise<FeedPlace | undefined>;
  /** Copies the comments of a subject that is about to be removed into what tells of them. */
  keepComments(subjectId: number): Promise<void>;
  /** A comment that is removed is no longer told of. */
  forgetComment(subjectId: number, noteId: number): Promise<void>;
  /** Removes at most `limit` entries, the oldest first, and looks for none before `from`: whoever knows that they are gone says so. */
  removeOlderThan(instant: Date, limit: number, from?: Date): Promise<RemovedEntries>;
  /** Removes at most `limit` entries of a project, and answers how many. */
  removeOfProject(projectId: ProjectId, limit: number): Promise<number>;
}
