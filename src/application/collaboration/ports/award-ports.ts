import type { Award, Awarded } from '../../../domain/collaboration/award.js';
import { NotFound } from '../../../domain/shared/domain-error.js';
import type { UserId } from '../../../domain/shared/identifiers.js';
import type { Page, PageRequest } from '../../../domain/shared/page.js';
import type { Person } from './note-ports.js';

export interface GivenAward extends Award, Awarded {
  readonly user: Person;
  readonly createdAt: Date;
}

/** This person has given it already. */
export class AlreadyGiven extends NotFound {
  constructor() {
    super('Award Emoji Name has already been taken');
  }
}

export interface AwardRepository {
  /** @throws AlreadyGiven. */
  add(awarded: Awarded, award: { readonly name: string; readonly userId: UserId; readonly at: Date }): Promise<number>;
  /** Of which somebody may have been removed meanwhile. */
  remove(id: number): Promise<void>;
  /** Takes away what this person gave, if they did. */
  removeOf(awarded: Awarded, award: { readonly name: string; readonly userId: UserId }): Promise<void>;
}

/** What people gave of one emoji to one thing. */
export interface Reaction {
  /** Null is the subject itself. */
  readonly noteId: number | null;
  readonly name: string;
  readonly count: number;
  /** Whether the reader is one of them. */
  readonly own: boolean;
  /** What the first few of them are called. */
  readonly people: readonly string[];
}

export interface ReactionQuery {
  readonly subjectId: number;
  /** Comments on it. */
  readonly noteIds: readonly number[];
  /** The reader, unless nobody is signed in. */
  readonly userId: UserId | undefined;
}

export interface AwardReader {
  /** In the order in which they were given. */
  list(awarded: Awarded, page: PageRequest): Promise<Page<GivenAward>>;
  find(awarded: Awarded, id: number): Promise<GivenAward | undefined>;
  /** What was given to a subject and to some comments on it, in the order in which each emoji was first given: as much as a page shows. */
  reactions(query: ReactionQuery): Promise<readonly Reaction[]>;
}

/** Whether there is an emoji of this name. */
export type IsEmoji = (name: string) => boolean;

/** The emoji of this name, if there is one. */
export type EmojiOf = (name: string) => string | undefined;
