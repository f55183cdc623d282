import type {
  SubscriptionReader,
  SubscriptionRepository,
} from '../../../../../application/collaboration/ports/subscription-ports.js';
import type { UserId } from '../../../../../domain/shared/identifiers.js';
import type { Session } from '../session.js';
import { containsPattern } from '../text-search.js';

export class KnexSubscriptionRepository implements SubscriptionRepository {
  constructor(private readonly session: Session) {}

  async save(subjectId: number, userId: UserId, subscribed: boolean, at: Date): Promise<'first' | 'other' | 'same'> {
    const { query, dialect } = this.session;
    const said = { subject_id: subjectId, user_id: userId };
    const first = await query('subscriptions')
      .insert({ ...said, subscribed, updated_at: dialect.writeInstant(at) })
      .onConflict(['subject_id', 'user_id'])
      .ignore()
      .returning('user_id');
    if (first.length > 0) return 'first';
    const changed = await query('subscriptions')
      .where(said)
      .whereNot({ subscribed })
      .update({ subscribed, updated_at: dialect.writeInstant(at) });
    return changed > 0 ? 'other' : 'same';
  }
}

export class KnexSubscriptionReader implements SubscriptionReader {
  constructor(private readonly session: Session) {}

  async find(subjectId: number, userId: UserId): Promise<boolean | undefined> {
    const row = await this.session
      .query('subscriptions')
      .where({ subject_id: subjectId, user_id: userId })
      .first('subscribed');
    return row && Boolean(row.subscribed);
  }

  async hasCommented(subjectId: number, userId: UserId): Promise<boolean> {
    const found: unknown = await this.session
      .query('notes')
      .where({ subject_id: subjectId, author_id: userId, system: false })
      .first('id');
    return found !== undefined;
  }

  async commentsNaming(subjectId: number, username: string, limit: number): Promise<readonly string[]> {
    const rows = await this.session
      .query('notes')
      .where({ subject_id: subjectId, system: false })
      .whereRaw("lower(body) like ? escape '\\'", [containsPattern(`@${username}`)])
      .orderBy('id', 'desc')
      .limit(limit)
      .select('body');
    return rows.map(({ body }) => body);
  }
}
