import type { DraftsSize } from '../../../domain/collaboration/draft-note.js';
import type { DiscussionPlace } from '../../../domain/shared/diff-position.js';
import type { UserId } from '../../../domain/shared/identifiers.js';

/** A comment that its author alone sees until they publish it. */
export interface DraftNote {
  readonly id: number;
  readonly subjectId: number;
  readonly authorId: UserId;
  readonly body: string;
  /** The note that the discussion begins with which it answers; null for one that answers none. */
  readonly answers: number | null;
  /** Whether that discussion is resolved when it is published. */
  readonly resolves: boolean;
  /** As whoever wrote it said. */
  readonly commitId: string | null;
  /** Where it is; null for one that is about no line of a diff. */
  readonly place: DiscussionPlace | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

export type NewDraftNote = Omit<DraftNote, 'id' | 'updatedAt'>;

export interface DraftNoteReader {
  /** What somebody has written of a subject, in that order. */
  all(subjectId: number, authorId: UserId): Promise<readonly DraftNote[]>;
  /** @returns undefined where it is nobody's, or of somebody else or of another subject. */
  find(subjectId: number, authorId: UserId, id: number): Promise<DraftNote | undefined>;
  /** Those of these comments that are there to be answered. */
  answerable(subjectId: number, noteIds: readonly number[]): Promise<ReadonlySet<number>>;
}

export interface DraftNoteRepository extends DraftNoteReader {
  /** Whoever adds, changes or publishes drafts of a subject holds what they have there until the transaction ends. */
  hold(subjectId: number, authorId: UserId): Promise<void>;
  add(draft: NewDraftNote): Promise<DraftNote>;
  /** To be asked of what is held. */
  sizeOf(subjectId: number, authorId: UserId): Promise<DraftsSize>;
  update(id: number, changes: Pick<DraftNote, 'body' | 'place' | 'updatedAt'>): Promise<void>;
  remove(ids: readonly number[]): Promise<void>;
}
