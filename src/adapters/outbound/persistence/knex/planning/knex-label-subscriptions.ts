import type {
  LabelSubscriptionReader,
  LabelSubscriptionRepository,
} from '../../../../../application/planning/ports/label-subscriptions.js';
import type { UserId } from '../../../../../domain/shared/identifiers.js';
import type { Session } from '../session.js';

export class KnexLabelSubscriptionRepository implements LabelSubscriptionRepository {
  constructor(private readonly session: Session) {}

  async add(labelId: number, userId: UserId, at: Date): Promise<boolean> {
    const { query, dialect } = this.session;
    const added = await query('label_subscriptions')
      .insert({ label_id: labelId, user_id: userId, created_at: dialect.writeInstant(at) })
      .onConflict(['label_id', 'user_id'])
      .ignore()
      .returning('user_id');
    return added.length > 0;
  }

  async remove(labelId: number, userId: UserId): Promise<boolean> {
    const removed = await this.session
      .query('label_subscriptions')
      .where({ label_id: labelId, user_id: userId })
      .delete();
    return removed > 0;
  }
}

export class KnexLabelSubscriptionReader implements LabelSubscriptionReader {
  constructor(private readonly session: Session) {}

  async isSubscribed(labelId: number, userId: UserId): Promise<boolean> {
    const found: unknown = await this.session
      .query('label_subscriptions')
      .where({ label_id: labelId, user_id: userId })
      .first('user_id');
    return found !== undefined;
  }
}
