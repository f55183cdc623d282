import type { Knex } from 'knex';
import type {
  AccessTokenReader,
  AccessTokenWithOwner,
  ActingToken,
} from '../../../../../application/oauth/ports/oauth-readers.js';
import type { AccessToken } from '../../../../../domain/oauth/access-token.js';
import type { UserState } from '../../../../../domain/identity/user.js';
import type { Scope } from '../../../../../domain/shared/scope.js';
import type { Dialect } from '../dialect/dialect.js';
import { readInstantOrNull } from '../dialect/nullable-instants.js';
import { selectOwnerProfile, toOwnerProfile, type OwnerProfileRow } from '../identity/owner-profile.js';
import type { FindFirst, Session } from '../session.js';
import type { RowOf } from '../tables.js';
import type { UserId } from '../../../../../domain/shared/identifiers.js';

const TABLE = 'oauth_access_tokens';

type TokenRow = Omit<RowOf<'oauth_access_tokens'>, 'digest'> & {
  readonly grant_revoked_at: unknown;
  readonly grant_last_used_at: unknown;
};

type AccessTokenRow = TokenRow & {
  readonly application_id: number | null;
  readonly application_uid: string | null;
  readonly owner_id: UserId;
  readonly owner_username: string;
  readonly owner_admin: boolean | number;
  readonly owner_state: UserState;
};

type ActingTokenRow = TokenRow & OwnerProfileRow;

const toToken = (row: TokenRow, dialect: Dialect): AccessToken => ({
  id: row.id,
  grantId: row.grant_id,
  scopes: row.scopes.split(' ') as Scope[],
  createdAt: dialect.readInstant(row.created_at),
  expiresAt: readInstantOrNull(dialect, row.expires_at),
  revoked: row.revoked_at !== null || row.grant_revoked_at !== null,
});

const toAccessTokenWithOwner = (row: AccessTokenRow, dialect: Dialect): AccessTokenWithOwner => ({
  token: toToken(row, dialect),
  owner: {
    id: row.owner_id,
    username: row.owner_username,
    admin: Boolean(row.owner_admin),
    state: row.owner_state,
  },
  application:
    row.application_id === null || row.application_uid === null
      ? null
      : { id: row.application_id, uid: row.application_uid },
  grantLastUsedAt: readInstantOrNull(dialect, row.grant_last_used_at),
});

const tokensOf = (query: Knex, digest: Knex.Value) =>
  query({ token: TABLE })
    .join({ granted: 'oauth_grants' }, 'granted.id', 'token.grant_id')
    .join({ owner: 'users' }, 'owner.id', 'granted.user_id')
    .where('token.digest', digest)
    .select('token.id', 'token.grant_id', 'token.scopes', 'token.created_at', 'token.expires_at', 'token.revoked_at', {
      grant_revoked_at: 'granted.revoked_at',
      grant_last_used_at: 'granted.last_used_at',
    });

const findByDigest = (query: Knex, digest: Knex.Value) =>
  tokensOf(query, digest)
    .leftJoin({ application: 'oauth_applications' }, 'application.id', 'granted.application_id')
    .select({
      application_id: 'application.id',
      application_uid: 'application.uid',
      owner_id: 'owner.id',
      owner_username: 'owner.username',
      owner_admin: 'owner.admin',
      owner_state: 'owner.state',
    });

const findActing = (query: Knex, digest: Knex.Value) => selectOwnerProfile(query, tokensOf(query, digest));

export class KnexAccessTokenReader implements AccessTokenReader {
  readonly #findByDigest: FindFirst<AccessTokenRow>;
  readonly #findActing: FindFirst<ActingTokenRow>;

  constructor(private readonly session: Session) {
    this.#findByDigest = session.prepare('text', findByDigest);
    this.#findActing = session.prepare('text', findActing);
  }

  async findByDigest(digest: string): Promise<AccessTokenWithOwner | undefined> {
    const row = await this.#findByDigest(digest);
    return row && toAccessTokenWithOwner(row, this.session.dialect);
  }

  async findActing(digest: string): Promise<ActingToken | undefined> {
    const row = await this.#findActing(digest);
    if (row === undefined) return undefined;
    const { dialect } = this.session;
    return {
      token: toToken(row, dialect),
      owner: toOwnerProfile(row, dialect),
      grantLastUsedAt: readInstantOrNull(dialect, row.grant_last_used_at),
    };
  }
}
