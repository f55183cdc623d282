import type { User } from '../../../domain/identity/user.js';
import type { UserId } from '../../../domain/shared/identifiers.js';
import type { PageRequest, SortDirection } from '../../../domain/shared/page.js';
import type { PageInBatches } from '../../shared/page-in-batches.js';

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
  find(id: number): Promise<Note | undefined>;
  /** Whether the service has written this below a subject already. */
  hasSystemNote(subjectId: number, body: string): Promise<boolean>;
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
};

export interface NoteQuery {
  readonly orderBy: 'created_at' | 'updated_at';
  readonly sort: SortDirection;
  readonly page: PageRequest;
}

export interface NoteReader {
  list(subjectId: number, query: NoteQuery): Promise<PageInBatches<NoteWithAuthor>>;
  find(subjectId: number, id: number): Promise<NoteWithAuthor | undefined>;
}
