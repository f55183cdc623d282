import type {
  ConnectedApplication,
  EndedAccess,
  GrantReader,
} from '../../../../../application/oauth/ports/oauth-readers.js';
import type {
  GrantRepository,
  NewAccessToken,
  NewTokenPair,
  RedeemedCode,
  UsedRefreshToken,
} from '../../../../../application/oauth/ports/oauth-repositories.js';
import type { Application } from '../../../../../domain/oauth/application.js';
import { keptUntil, type Grant, type NewGrant, type RevocationReason } from '../../../../../domain/oauth/grant.js';
import type { UserId } from '../../../../../domain/shared/identifiers.js';
import type { Dialect } from '../dialect/dialect.js';
import { readInstantOrNull, writeInstantOrNull } from '../dialect/nullable-instants.js';
import { linked } from '../linked.js';
import type { Session } from '../session.js';
import { toApplication } from './application-row.js';
import type { GrantRow } from './grant-row.js';

const TABLE = 'oauth_grants';

const GRANT = {
  name: 'granted',
  text: `insert into ${TABLE} (user_id, application_id, kind, scopes, nonce, authenticated_at, created_at, expires_at)
    values (?, ?, ?, ?, ?, ?, ?, ?)`,
};

const grantValues = (grant: NewGrant, dialect: Dialect): readonly unknown[] => [
  grant.userId,
  grant.applicationId,
  grant.kind,
  grant.scopes.join(' '),
  grant.nonce,
  dialect.writeInstant(grant.authenticatedAt),
  dialect.writeInstant(grant.createdAt),
  writeInstantOrNull(dialect, grant.expiresAt),
];

const access = (grant: '{granted}' | '?') => ({
  name: 'access',
  text: `insert into oauth_access_tokens (digest, grant_id, scopes, created_at, expires_at) values (?, ${grant}, ?, ?, ?)`,
});

const accessValues = (token: NewAccessToken, dialect: Dialect): readonly unknown[] => [
  token.digest,
  token.scopes.join(' '),
  dialect.writeInstant(token.createdAt),
  writeInstantOrNull(dialect, token.expiresAt),
];

const refresh = (grant: '{granted}' | '?') => ({
  name: 'refresh',
  text: `insert into oauth_refresh_tokens (digest, grant_id, access_token_id, created_at, repeats) values (?, ${grant}, {access}, ?, 0)`,
});

const refreshValues = (
  { access: { createdAt }, refreshDigest }: NewTokenPair,
  dialect: Dialect,
): readonly unknown[] => [refreshDigest, dialect.writeInstant(createdAt)];

const OPEN = linked([GRANT, access('{granted}')]);
const REDEEM = linked([
  GRANT,
  access('{granted}'),
  refresh('{granted}'),
  {
    name: 'code',
    text: 'update oauth_authorization_codes set grant_id = {granted} where id = ? and grant_id is null',
    must: true,
  },
]);
const REPEAT = linked([
  access('?'),
  refresh('?'),
  { name: 'repeated', text: 'update oauth_refresh_tokens set repeats = repeats + 1 where id = ?' },
]);
const ROTATE = linked([
  access('?'),
  refresh('?'),
  {
    name: 'rotated',
    text: 'update oauth_refresh_tokens set rotated_at = ?, expires_at = ? where id = ? and rotated_at is null',
    must: true,
  },
  { name: 'ended', text: 'update oauth_access_tokens set revoked_at = ? where id = ? and revoked_at is null' },
]);

const opened = ({ expiresAt: _, ...grant }: NewGrant, id: number): Grant => ({
  ...grant,
  id,
  lastUsedAt: null,
  revokedAt: null,
  revocationReason: null,
});

interface ConnectionRow extends Pick<GrantRow, 'application_id' | 'scopes' | 'last_used_at'> {
  readonly since: unknown;
}

export class KnexGrantRepository implements GrantRepository {
  constructor(private readonly session: Session) {}

  async open(grant: NewGrant, token: NewAccessToken): Promise<Grant> {
    const { dialect } = this.session;
    const { granted } = await OPEN(this.session, [...grantValues(grant, dialect), ...accessValues(token, dialect)]);
    return opened(grant, granted!);
  }

  async redeem({ id }: RedeemedCode, grant: NewGrant, tokens: NewTokenPair): Promise<Grant> {
    const { dialect } = this.session;
    const { granted } = await REDEEM(this.session, [
      ...grantValues(grant, dialect),
      ...accessValues(tokens.access, dialect),
      ...refreshValues(tokens, dialect),
      id,
    ]);
    return opened(grant, granted!);
  }

  async renew(grantId: number, { access, refreshDigest }: NewTokenPair, used: UsedRefreshToken): Promise<void> {
    const { dialect } = this.session;
    const [digest, ...validity] = accessValues(access, dialect);
    const added = [digest, grantId, ...validity, refreshDigest, grantId, dialect.writeInstant(access.createdAt)];
    if (used.use === 'repeated') await REPEAT(this.session, [...added, used.id]);
    else {
      const at = dialect.writeInstant(used.at);
      const ended = [at, dialect.writeInstant(keptUntil(used.at)), used.id, at, used.accessTokenId];
      await ROTATE(this.session, [...added, ...ended]);
    }
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

  async connectionsOf(userId: UserId, now: Date): Promise<readonly ConnectedApplication[]> {
    const { dialect } = this.session;
    const living = this.#living(userId, now);
    // A few rows, however often an application has asked: one for each set of scopes.
    const rows = (await living
      .groupBy('application_id', 'scopes')
      .select('application_id', 'scopes')
      .min({ since: 'created_at' })
      .max({ last_used_at: 'last_used_at' })) as ConnectionRow[];
    const applications = await this.#applications(rows);
    const ids = [...new Set(rows.map(({ application_id }) => application_id))];
    return ids.map((id) => {
      const own = rows.filter(({ application_id }) => application_id === id);
      return {
        application: (id !== null && applications.get(id)) || null,
        scopes: [...new Set(own.flatMap(({ scopes }) => scopes.split(' ')))],
        since: own.map(({ since }) => dialect.readInstant(since)).reduce((a, b) => (b < a ? b : a)),
        lastUsedAt: own
          .map(({ last_used_at }) => readInstantOrNull(dialect, last_used_at))
          .reduce((a, b) => (a === null || (b !== null && b > a) ? b : a)),
      };
    });
  }

  async endedOf(userId: UserId, reasons: readonly RevocationReason[], limit: number): Promise<readonly EndedAccess[]> {
    const { query, dialect } = this.session;
    const rows = await query(TABLE)
      .where({ user_id: userId })
      .whereIn('revocation_reason', [...reasons])
      .orderBy('revoked_at', 'desc')
      .limit(limit);
    const applications = await this.#applications(rows);
    return rows.flatMap(({ application_id: id, revocation_reason: reason, revoked_at: at }) =>
      reason === null
        ? []
        : { application: (id !== null && applications.get(id)) || null, reason, at: dialect.readInstant(at) },
    );
  }

  async approvedScopes(userId: UserId, applicationId: number, now: Date): Promise<ReadonlySet<string>> {
    const rows = await this.#living(userId, now)
      .where({ application_id: applicationId })
      // Whoever gave their password was not asked.
      .whereNot({ kind: 'password' })
      .distinct('scopes');
    return new Set(rows.flatMap(({ scopes }) => scopes.split(' ')));
  }

  /** Grants that are neither revoked nor expired. */
  #living(userId: UserId, now: Date) {
    const { query, dialect } = this.session;
    return query(TABLE)
      .where({ user_id: userId })
      .whereNull('revoked_at')
      .where((unended) => {
        void unended.whereNull('expires_at').orWhere('expires_at', '>', dialect.writeInstant(now));
      });
  }

  async #applications(rows: readonly Pick<GrantRow, 'application_id'>[]): Promise<ReadonlyMap<number, Application>> {
    const { query, dialect } = this.session;
    const ids = [...new Set(rows.flatMap(({ application_id }) => application_id ?? []))];
    const found = await query('oauth_applications').whereIn('id', ids);
    return new Map(found.map((row) => [row.id, toApplication(row, dialect)]));
  }
}
