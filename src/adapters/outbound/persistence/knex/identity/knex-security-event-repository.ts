import type {
  SecurityEvent,
  SecurityEventReader,
  SecurityEventRepository,
} from '../../../../../application/identity/ports/security-event-repository.js';
import type { Credential } from '../../../../../application/shared/actor.js';
import type { SensitiveAct } from '../../../../../domain/identity/sensitive-act.js';
import type { UserId } from '../../../../../domain/shared/identifiers.js';
import type { Dialect } from '../dialect/dialect.js';
import type { Session } from '../session.js';
import type { RowOf } from '../tables.js';

type SecurityEventRow = RowOf<'security_events'>;

const toSecurityEvent = (row: SecurityEventRow, dialect: Dialect): SecurityEvent => ({
  act: row.act,
  subject: row.subject,
  source: { means: row.means, name: row.means_name, clientAddress: row.client_address },
  at: dialect.readInstant(row.created_at),
});

export class KnexSecurityEventRepository implements SecurityEventRepository {
  constructor(private readonly session: Session) {}

  async add(userId: UserId, { act, subject, source, at }: SecurityEvent, expiresAt: Date): Promise<void> {
    const { query, dialect } = this.session;
    await query('security_events').insert({
      user_id: userId,
      act,
      subject,
      means: source.means,
      means_name: source.name,
      client_address: source.clientAddress,
      created_at: dialect.writeInstant(at),
      expires_at: dialect.writeInstant(expiresAt),
    });
  }

  async instantsOf(userId: UserId, act: SensitiveAct, since: Date): Promise<readonly Date[]> {
    const { query, dialect } = this.session;
    const rows = await query('security_events')
      .where({ user_id: userId, act })
      .where('created_at', '>', dialect.writeInstant(since))
      .orderBy('id', 'desc')
      .select('created_at');
    return rows.map((row) => dialect.readInstant(row.created_at));
  }

  async nameOf({ kind, id }: Exclude<Credential, { kind: 'session' }>): Promise<string | null> {
    const { query } = this.session;
    const named =
      kind === 'personal_access_token'
        ? query('personal_access_tokens').where({ id }).first('name')
        : query('oauth_access_tokens')
            .join('oauth_grants', 'oauth_grants.id', 'oauth_access_tokens.grant_id')
            .join('oauth_applications', 'oauth_applications.id', 'oauth_grants.application_id')
            .where('oauth_access_tokens.id', id)
            .first('oauth_applications.name');
    return ((await named) as { name: string } | undefined)?.name ?? null;
  }
}

export class KnexSecurityEventReader implements SecurityEventReader {
  constructor(private readonly session: Session) {}

  async recentOf(userId: UserId, limit: number): Promise<readonly SecurityEvent[]> {
    const rows = await this.session
      .query('security_events')
      .where({ user_id: userId })
      .orderBy('id', 'desc')
      .limit(limit);
    return rows.map((row) => toSecurityEvent(row, this.session.dialect));
  }
}
