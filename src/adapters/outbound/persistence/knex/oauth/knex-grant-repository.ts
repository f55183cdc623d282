import type { GrantReader, GrantToApplication } from '../../../../../application/oauth/ports/oauth-readers.js';
import type { GrantRepository } from '../../../../../application/oauth/ports/oauth-repositories.js';
import { keptUntil, type Grant, type NewGrant, type RevocationReason } from '../../../../../domain/oauth/grant.js';
import type { UserId } from '../../../../../domain/shared/identifiers.js';
import { writeInstantOrNull } from '../dialect/nullable-instants.js';
import type { Session } from '../session.js';
import { toApplication, type ApplicationRow } from './application-row.js';
import { toGrant, type GrantRow } from './grant-row.js';

const TABLE = 'oauth_grants';

export class KnexGrantRepository implements GrantRepository {
  constructor(private readonly session: Session) {}

  async add(grant: NewGrant): Promise<Grant> {
    const { query, dialect } = this.session;
    const [row] = (await query(TABLE)
      .insert({
        user_id: grant.userId,
        application_id: grant.applicationId,
        kind: grant.kind,
        scopes: grant.scopes.join(' '),
        nonce: grant.nonce,
        authenticated_at: dialect.writeInstant(grant.authenticatedAt),
        created_at: dialect.writeInstant(grant.createdAt),
        expires_at: writeInstantOrNull(dialect, grant.expiresAt),
      })
      .returning('*')) as GrantRow[];
    return toGrant(row!, dialect);
  }

  async find(id: number): Promise<Grant | undefined> {
    const { query, dialect } = this.session;
    const row = (await query(TABLE).where({ id }).first()) as GrantRow | undefined;
    return row && toGrant(row, dialect);
  }

  async revoke(id: number, reason: RevocationReason, at: Date): Promise<void> {
    await this.#revoke({ id }, reason, at);
  }

  revokeAllOf(userId: UserId, reason: RevocationReason, at: Date, applicationId?: number | null): Promise<number> {
    const whose = { user_id: userId, ...(applicationId === undefined ? {} : { application_id: applicationId }) };
    return this.#revoke(whose, reason, at);
  }

  async recordUses(uses: ReadonlyMap<number, Date>): Promise<void> {
    const { query, dialect } = this.session;
    for (const [id, at] of uses) {
      await query(TABLE)
        .where({ id })
        .update({ last_used_at: dialect.writeInstant(at) });
    }
  }

  #revoke(which: Readonly<Record<string, number | null>>, reason: RevocationReason, at: Date): Promise<number> {
    const { query, dialect } = this.session;
    return query(TABLE)
      .where(which)
      .whereNull('revoked_at')
      .update({
        revoked_at: dialect.writeInstant(at),
        revocation_reason: reason,
        expires_at: dialect.writeInstant(keptUntil(at)),
      });
  }
}

export class KnexGrantReader implements GrantReader {
  constructor(private readonly session: Session) {}

  async listOf(userId: UserId, limit: number): Promise<readonly GrantToApplication[]> {
    const { query, dialect } = this.session;
    const grants = (await query(TABLE).where({ user_id: userId }).orderBy('id', 'desc').limit(limit)) as GrantRow[];
    const ids = [...new Set(grants.flatMap(({ application_id }) => application_id ?? []))];
    const rows = (await query('oauth_applications').whereIn('id', ids)) as ApplicationRow[];
    const applications = new Map(rows.map((row) => [row.id, toApplication(row, dialect)]));
    return grants.map((row) => ({
      grant: toGrant(row, dialect),
      application: (row.application_id !== null && applications.get(row.application_id)) || null,
    }));
  }

  async approvedScopes(userId: UserId, applicationId: number): Promise<ReadonlySet<string>> {
    const rows = (await this.session
      .query(TABLE)
      .where({ user_id: userId, application_id: applicationId })
      .whereNull('revoked_at')
      .distinct('scopes')) as Pick<GrantRow, 'scopes'>[];
    return new Set(rows.flatMap(({ scopes }) => scopes.split(' ')));
  }
}
