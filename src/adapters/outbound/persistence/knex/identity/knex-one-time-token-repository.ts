import type {
  OneTimePurpose,
  OneTimeToken,
  OneTimeTokenRepository,
} from '../../../../../application/identity/ports/one-time-token-repository.js';
import type { UserId } from '../../../../../domain/shared/identifiers.js';
import type { Session } from '../session.js';

interface OneTimeTokenRow {
  readonly purpose: string;
  readonly user_id: number;
  readonly email_id: number | null;
  readonly created_at: unknown;
  readonly expires_at: unknown;
}

export class KnexOneTimeTokenRepository implements OneTimeTokenRepository {
  constructor(private readonly session: Session) {}

  async add(token: OneTimeToken & { readonly digest: string }): Promise<void> {
    const { dialect } = this.session;
    await this.session.query('one_time_tokens').insert({
      digest: token.digest,
      purpose: token.purpose,
      user_id: token.userId,
      email_id: token.emailId,
      created_at: dialect.writeInstant(token.createdAt),
      expires_at: dialect.writeInstant(token.expiresAt),
    });
  }

  async consume(purpose: OneTimePurpose, digest: string, now: Date): Promise<OneTimeToken | undefined> {
    const { dialect } = this.session;
    const token = this.session
      .query('one_time_tokens')
      .where({ purpose, digest })
      .andWhere('expires_at', '>', dialect.writeInstant(now));
    const row = (await token.clone().first()) as OneTimeTokenRow | undefined;
    // Of many who have read it, the one whose deletion counts has it.
    if (row === undefined || (await token.delete()) === 0) return undefined;
    return {
      purpose: row.purpose as OneTimePurpose,
      userId: row.user_id,
      emailId: row.email_id,
      createdAt: dialect.readInstant(row.created_at),
      expiresAt: dialect.readInstant(row.expires_at),
    };
  }

  async removeAllOf(userId: UserId, purpose: OneTimePurpose): Promise<void> {
    await this.session.query('one_time_tokens').where({ user_id: userId, purpose }).delete();
  }
}
