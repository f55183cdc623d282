import type { Award, Awarded } from '../../../domain/collaboration/award.js';
import type { UserId } from '../../../domain/shared/identifiers.js';
import type { Page, PageRequest } from '../../../domain/shared/page.js';
import type { Person } from './note-ports.js';

export interface GivenAward extends Award, Awarded {
  readonly user: Person;
  readonly createdAt: Date;
}

export interface AwardRepository {
  /** @throws NotFound "Award Emoji Name has already been taken" where this person has given it already. */
  add(awarded: Awarded, award: { readonly name: string; readonly userId: UserId; readonly at: Date }): Promise<number>;
  /** Of which somebody may have been removed meanwhile. */
  remove(id: number): Promise<void>;
}

export interface AwardReader {
  /** In the order in which they were given. */
  list(awarded: Awarded, page: PageRequest): Promise<Page<GivenAward>>;
  find(awarded: Awarded, id: number): Promise<GivenAward | undefined>;
}

/** Whether there is an emoji of this name. */
export type IsEmoji = (name: string) => boolean;
