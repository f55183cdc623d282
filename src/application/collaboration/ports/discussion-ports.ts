import type { DiffPosition, DiscussionPlace } from '../../../domain/shared/diff-position.js';
import type { DiscussionSize } from '../../../domain/collaboration/discussion.js';
import type { UserId } from '../../../domain/shared/identifiers.js';
import type { PageRequest } from '../../../domain/shared/page.js';
import type { PageInBatches } from '../../shared/page-in-batches.js';
import type { CommentPages } from './comment-pages.js';
import type { NoteWithAuthor } from './note-ports.js';

export interface Discussion {
  readonly id: number;
  readonly resolved: boolean;
}

export interface DiscussionRepository {
  /** Makes a note the first of a discussion. @param place of one about lines of a diff. @returns the id of the discussion. */
  begin(subjectId: number, firstNoteId: number, place?: DiscussionPlace): Promise<number>;
  /** Where the lines of a discussion are now; null where they have changed. Does nothing where somebody has moved it meanwhile. */
  move(id: number, from: DiffPosition, to: DiffPosition | null): Promise<void>;
  /**
   * Reads and locks the discussion that begins with a note until the transaction ends.
   *
   * @returns undefined where the subject has none of that beginning.
   */
  take(subjectId: number, firstNoteId: number): Promise<Discussion | undefined>;
  /** The same, and a comment that stands alone becomes the first of one. */
  takeOrBegin(subjectId: number, firstNoteId: number): Promise<Discussion | undefined>;
  /** Locks a discussion until the transaction ends. Held before its notes, so that it neither grows nor shrinks meanwhile. */
  hold(id: number): Promise<void>;
  /** To be asked of a discussion that is held or taken. */
  sizeOf(id: number): Promise<DiscussionSize>;
  resolve(id: number, by: UserId, at: Date): Promise<void>;
  reopen(id: number): Promise<void>;
  /** Removes a discussion in which nothing is left; likewise. */
  removeEmpty(id: number): Promise<void>;
}

/** A discussion with all that was said in it. One note that stands alone is one, too. */
export interface DiscussionWithNotes {
  readonly firstNoteId: number;
  readonly individual: boolean;
  readonly notes: readonly NoteWithAuthor[];
}

/** A discussion about lines of a diff. */
export interface PlacedDiscussion extends DiscussionPlace {
  readonly id: number;
  readonly firstNoteId: number;
}

export interface DiscussionReader extends CommentPages {
  /** In the order in which they began. @param after those that began after a note. */
  list(subjectId: number, page: PageRequest, after?: number): Promise<PageInBatches<DiscussionWithNotes>>;
  find(subjectId: number, firstNoteId: number): Promise<DiscussionWithNotes | undefined>;
  /** Those of a subject that are about lines of a diff, in the order in which they began. @param page those that began after a note. */
  placed(
    subjectId: number,
    page: { readonly after: number; readonly limit: number },
  ): Promise<readonly PlacedDiscussion[]>;
  /** The note that the discussion of a note begins with; undefined where it stands alone. */
  ofNote(subjectId: number, noteId: number): Promise<number | undefined>;
  /** Some of them with their notes, in that order. */
  some(subjectId: number, firstNoteIds: readonly number[]): AsyncIterable<readonly DiscussionWithNotes[]>;
}
