import type { UserId } from '../../../domain/shared/identifiers.js';

export interface SubscriptionRepository {
  save(issueId: number, userId: UserId, subscribed: boolean, at: Date): Promise<void>;
}

export interface SubscriptionReader {
  /** What somebody said himself, or undefined. */
  find(issueId: number, userId: UserId): Promise<boolean | undefined>;
  hasCommented(issueId: number, userId: UserId): Promise<boolean>;
  /** The description and comments in which `@username` stands, code or not; the newest, at most `limit`. */
  textsNaming(issueId: number, username: string, limit: number): Promise<readonly string[]>;
}
