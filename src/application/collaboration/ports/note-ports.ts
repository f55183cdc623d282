import type { DiscussionPlace } from '../../../domain/shared/diff-position.js';
import type { Suggestion } from '../../../domain/collaboration/suggestion.js';
import type { User } from '../../../domain/identity/user.js';
import type { UserId } from '../../../domain/shared/identifiers.js';
import type { PageRequest, SortDirection } from '../../../domain/shared/page.js';
import type { PageInBatches } from '../../shared/page-in-batches.js';
import type { CommentPages } from './comment-pages.js';

/** A user as subjects and notes name them. */
export type Person = Pick<User, 'id' | 'username' | 'name' | 'state'>;

export interface Note {
  readonly id: number;
  readonly subjectId: number;
  readonly authorId: UserId | null;
  readonly body: string;
  /** Written by the service, about what happened. */
  readonly system: boolean;
  /** Of the discussion that it is part of; null where it stands alone. */
  readonly discussionId: number | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

export type NewNote = Pick<Note, 'subjectId' | 'authorId' | 'body' | 'system' | 'createdAt'> &
  Partial<Pick<Note, 'discussionId'>>;

export interface NoteRepository {
  add(note: NewNote): Promise<Note>;
  addAll(notes: readonly NewNote[]): Promise<void>;
  find(id: number): Promise<Note | undefined>;
  /** Whether the service has written this below a subject already. */
  hasSystemNote(subjectId: number, body: string): Promise<boolean>;
  /** As it is now, held until the transaction ends. */
  take(id: number): Promise<Note | undefined>;
  update(id: number, body: string, at: Date): Promise<void>;
  remove(id: number): Promise<void>;
}

/** Whether what a discussion asks for is done. */
export interface Resolution {
  readonly at: Date;
  readonly by: Person | null;
}

export type NoteWithAuthor = Note & {
  readonly author: Person | null;
  /** Of its discussion; null where that is not resolved. */
  readonly resolution: Resolution | null;
  /** Of its discussion; null where that is about no line of a diff. */
  readonly place: DiscussionPlace | null;
  readonly suggestions: readonly StoredSuggestion[];
};

export interface StoredSuggestion extends Suggestion {
  readonly id: number;
  /** The commit that did it; null until somebody applies it. */
  readonly commitSha: string | null;
}

/** Where a suggestion is found. */
export interface NamedSuggestion {
  readonly id: number;
  readonly noteId: number;
  readonly subjectId: number;
}

export interface NoteQuery {
  readonly orderBy: 'created_at' | 'updated_at' | 'id';
  readonly sort: SortDirection;
  /** Those whose ids are greater. */
  readonly after?: number;
  /** Only what the service noted by itself, or only what people wrote. */
  readonly system?: boolean;
  readonly page: PageRequest;
}

export interface NoteReader extends CommentPages {
  list(subjectId: number, query: NoteQuery): Promise<PageInBatches<NoteWithAuthor>>;
  find(subjectId: number, id: number): Promise<NoteWithAuthor | undefined>;
  /** Those that are there. */
  findSuggestions(ids: readonly number[]): Promise<readonly NamedSuggestion[]>;
}

export interface OpenSuggestion extends Pick<Suggestion, 'above' | 'below'> {
  readonly id: number;
  readonly discussionId: number;
}

export interface SuggestionRepository {
  /** Those of some discussions that could still be applied. */
  openIn(discussionIds: readonly number[]): Promise<readonly OpenSuggestion[]>;
  /** In place of those that the note made before; what has been applied stays. */
  replace(noteId: number, suggestions: readonly Suggestion[]): Promise<void>;
  /** One of its lines has changed. */
  outdate(ids: readonly number[]): Promise<void>;
  /** False where one of them has been applied already, or is gone. */
  apply(ids: readonly number[], commitSha: string): Promise<boolean>;
}
