import type {
  LabelSubscriptionReader,
  LabelSubscriptionRepository,
} from '../../../../../application/planning/ports/label-subscriptions.js';
import type { UserId } from '../../../../../domain/shared/identifiers.js';
import type { Session } from '../session.js';
import { groupLabelIn } from './label-ids.js';

/** Of labels of groups there is a table of its own. */
const subscriptionOf = (labelId: number, userId: UserId) => {
  const groupLabelId = groupLabelIn(labelId);
  return groupLabelId === undefined
    ? ({ table: 'label_subscriptions', key: { label_id: labelId, user_id: userId } } as const)
    : ({ table: 'group_label_subscriptions', key: { group_label_id: groupLabelId, user_id: userId } } as const);
};

export class KnexLabelSubscriptionRepository implements LabelSubscriptionRepository {
  constructor(private readonly session: Session) {}

  async add(labelId: number, userId: UserId, at: Date): Promise<boolean> {
    const { query, dialect } = this.session;
    const { table, key } = subscriptionOf(labelId, userId);
    const added = await query(table as string)
      .insert({ ...key, created_at: dialect.writeInstant(at) })
      .onConflict(Object.keys(key))
      .ignore()
      .returning('user_id');
    return added.length > 0;
  }

  async remove(labelId: number, userId: UserId): Promise<boolean> {
    const { table, key } = subscriptionOf(labelId, userId);
    const removed = await this.session
      .query(table as string)
      .where(key)
      .delete();
    return removed > 0;
  }
}

export class KnexLabelSubscriptionReader implements LabelSubscriptionReader {
  constructor(private readonly session: Session) {}

  async isSubscribed(labelId: number, userId: UserId): Promise<boolean> {
    const { table, key } = subscriptionOf(labelId, userId);
    const found: unknown = await this.session
      .query(table as string)
      .where(key)
      .first('user_id');
    return found !== undefined;
  }
}
