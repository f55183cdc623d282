import type {
  NewPersonalAccessToken,
  PersonalAccessTokenRepository,
} from '../../../../../application/identity/ports/personal-access-token-repository.js';
import { familyOf, type PersonalAccessToken } from '../../../../../domain/identity/personal-access-token.js';
import type { UserId } from '../../../../../domain/shared/identifiers.js';
import type { Session } from '../session.js';
import { toPersonalAccessToken, type PersonalAccessTokenRow } from './personal-access-token-row.js';

export class KnexPersonalAccessTokenRepository implements PersonalAccessTokenRepository {
  constructor(private readonly session: Session) {}

  async find(id: number): Promise<PersonalAccessToken | undefined> {
    const row = await this.session.query('personal_access_tokens').where({ id }).first();
    return row && toPersonalAccessToken(row, this.session.dialect);
  }

  async findSuccessor(token: PersonalAccessToken): Promise<PersonalAccessToken | undefined> {
    const row = await this.#unrevoked()
      .where({ family_id: familyOf(token) })
      .where('id', '>', token.id)
      .orderBy('id', 'desc')
      .first();
    return row && toPersonalAccessToken(row, this.session.dialect);
  }

  async add(token: NewPersonalAccessToken): Promise<PersonalAccessToken> {
    const { query, dialect } = this.session;
    const [row] = (await query('personal_access_tokens')
      .insert({
        user_id: token.userId,
        digest: token.digest,
        name: token.name,
        description: token.description ?? null,
        scopes: token.scopes.join(' '),
        expires_at: token.expiresAt,
        created_at: dialect.writeInstant(token.createdAt),
        family_id: token.familyId ?? null,
      })
      .returning('*')) as PersonalAccessTokenRow[];
    return toPersonalAccessToken(row!, dialect);
  }

  async revoke(id: number, at: Date): Promise<boolean> {
    const revoked = await this.#unrevoked()
      .where({ id })
      .update({ revoked_at: this.session.dialect.writeInstant(at) });
    return revoked > 0;
  }

  async revokeAllOf(userId: UserId, at: Date): Promise<number> {
    return this.#unrevoked()
      .where({ user_id: userId })
      .update({ revoked_at: this.session.dialect.writeInstant(at) });
  }

  async recordUses(uses: ReadonlyMap<number, Date>): Promise<void> {
    for (const [id, at] of uses) {
      await this.session
        .query('personal_access_tokens')
        .where({ id })
        .update({ last_used_at: this.session.dialect.writeInstant(at) });
    }
  }

  #unrevoked() {
    return this.session.query('personal_access_tokens').whereNull('revoked_at');
  }
}
