import type { UserId } from '../../../domain/shared/identifiers.js';

export interface LabelSubscriptionRepository {
  /** False where they are subscribed already. */
  add(labelId: number, userId: UserId, at: Date): Promise<boolean>;
  /** False where they are not subscribed. */
  remove(labelId: number, userId: UserId): Promise<boolean>;
}

export interface LabelSubscriptionReader {
  isSubscribed(labelId: number, userId: UserId): Promise<boolean>;
}
