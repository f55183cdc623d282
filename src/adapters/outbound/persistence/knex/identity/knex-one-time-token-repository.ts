import type {
  OneTimePurpose,
  OneTimeToken,
  OneTimeTokenRepository,
} from '../../../../../application/identity/ports/one-time-token-repository.js';
import type { UserId } from '../../../../../domain/shared/identifiers.js';
import type { Session } from '../session.js';

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

  async find(purpose: OneTimePurpose, digest: string, now: Date): Promise<OneTimeToken | undefined> {
    const { dialect } = this.session;
    const row = await this.#unexpired(purpose, digest, now).first();
    return (
      row && {
        purpose: row.purpose,
        userId: row.user_id,
        emailId: row.email_id,
        createdAt: dialect.readInstant(row.created_at),
        expiresAt: dialect.readInstant(row.expires_at),
      }
    );
  }

  async consume(purpose: OneTimePurpose, digest: string, now: Date): Promise<OneTimeToken | undefined> {
    const token = await this.find(purpose, digest, now);
    // Of many who have read it, the one whose deletion counts has it.
    if (token === undefined || (await this.#unexpired(purpose, digest, now).delete()) === 0) return undefined;
    return token;
  }

  async hasSince(userId: UserId, purpose: OneTimePurpose, since: Date): Promise<boolean> {
    const { query, dialect } = this.session;
    const made = query('one_time_tokens').where({ user_id: userId, purpose });
    return (await made.andWhere('created_at', '>', dialect.writeInstant(since)).first('id')) !== undefined;
  }

  async removeAllOf(userId: UserId, purpose: OneTimePurpose): Promise<void> {
    await this.session.query('one_time_tokens').where({ user_id: userId, purpose }).delete();
  }

  #unexpired(purpose: OneTimePurpose, digest: string, now: Date) {
    const { query, dialect } = this.session;
    return query('one_time_tokens').where({ purpose, digest }).andWhere('expires_at', '>', dialect.writeInstant(now));
  }
}
