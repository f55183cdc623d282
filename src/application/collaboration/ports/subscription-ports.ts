import type { UserId } from '../../../domain/shared/identifiers.js';

export interface SubscriptionRepository {
  /** @returns whether this is the first that somebody says, is another than they said before, or the same. */
  save(subjectId: number, userId: UserId, subscribed: boolean, at: Date): Promise<'first' | 'other' | 'same'>;
}

export interface SubscriptionReader {
  /** What somebody said themselves, or undefined. */
  find(subjectId: number, userId: UserId): Promise<boolean | undefined>;
  hasCommented(subjectId: number, userId: UserId): Promise<boolean>;
  /** The comments in which `@username` stands, code or not; the newest, at most `limit`. */
  commentsNaming(subjectId: number, username: string, limit: number): Promise<readonly string[]>;
}
