import type {
  SubscriptionReader,
  SubscriptionRepository,
} from '../../../../../application/notifications/ports/subscription-ports.js';
import type { UserId } from '../../../../../domain/shared/identifiers.js';
import type { Session } from '../session.js';
import { containsPattern } from '../text-search.js';

export class KnexSubscriptionRepository implements SubscriptionRepository {
  constructor(private readonly session: Session) {}

  async save(issueId: number, userId: UserId, subscribed: boolean, at: Date): Promise<void> {
    const { query, dialect } = this.session;
    await query('issue_subscriptions')
      .insert({ issue_id: issueId, user_id: userId, subscribed, updated_at: dialect.writeInstant(at) })
      .onConflict(['issue_id', 'user_id'])
      .merge();
  }
}

export class KnexSubscriptionReader implements SubscriptionReader {
  constructor(private readonly session: Session) {}

  async find(issueId: number, userId: UserId): Promise<boolean | undefined> {
    const row = await this.session
      .query('issue_subscriptions')
      .where({ issue_id: issueId, user_id: userId })
      .first('subscribed');
    return row && Boolean(row.subscribed);
  }

  async hasCommented(issueId: number, userId: UserId): Promise<boolean> {
    const found: unknown = await this.session
      .query('notes')
      .where({ issue_id: issueId, author_id: userId, system: false })
      .first('id');
    return found !== undefined;
  }

  async textsNaming(issueId: number, username: string, limit: number): Promise<readonly string[]> {
    const { query } = this.session;
    const pattern = containsPattern(`@${username}`);
    const issues = query('issues')
      .where({ id: issueId })
      .whereRaw("lower(description) like ? escape '\\'", [pattern])
      .select({ text: 'description' });
    const notes = query('notes')
      .where({ issue_id: issueId, system: false })
      .whereRaw("lower(body) like ? escape '\\'", [pattern])
      .orderBy('id', 'desc')
      .limit(limit)
      .select({ text: 'body' });
    const rows = [...(await issues), ...(await notes)];
    return rows.map(({ text }) => text);
  }
}
