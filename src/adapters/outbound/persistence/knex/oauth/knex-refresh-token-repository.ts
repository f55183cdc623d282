import type {
  RefreshTokenReader,
  RefreshTokenWithGrant,
} from '../../../../../application/oauth/ports/oauth-readers.js';
import type {
  NewRefreshToken,
  RefreshTokenRepository,
} from '../../../../../application/oauth/ports/oauth-repositories.js';
import { keptUntil } from '../../../../../domain/oauth/grant.js';
import type { UserState } from '../../../../../domain/identity/user.js';
import type { RefreshToken } from '../../../../../domain/oauth/refresh-token.js';
import type { Dialect } from '../dialect/dialect.js';
import { readInstantOrNull } from '../dialect/nullable-instants.js';
import type { Session } from '../session.js';
import { toGrant, type GrantRow } from './grant-row.js';
import type { RowOf } from '../tables.js';

const TABLE = 'oauth_refresh_tokens';

type RefreshTokenRow = RowOf<'oauth_refresh_tokens'>;

const toRefreshToken = (row: RefreshTokenRow, dialect: Dialect): RefreshToken => ({
  id: row.id,
  grantId: row.grant_id,
  accessTokenId: row.access_token_id,
  rotatedAt: readInstantOrNull(dialect, row.rotated_at),
  repeats: row.repeats,
});

export class KnexRefreshTokenRepository implements RefreshTokenRepository {
  constructor(private readonly session: Session) {}

  async add(token: NewRefreshToken): Promise<void> {
    const { query, dialect } = this.session;
    await query(TABLE).insert({
      digest: token.digest,
      grant_id: token.grantId,
      access_token_id: token.accessTokenId,
      created_at: dialect.writeInstant(token.createdAt),
      repeats: 0,
    });
  }

  async take(digest: string): Promise<RefreshToken | undefined> {
    const { query, dialect } = this.session;
    const [row] = await dialect.lockRows(query(TABLE).where({ digest }));
    return row && toRefreshToken(row, dialect);
  }

  async markRotated(id: number, at: Date): Promise<void> {
    const { query, dialect } = this.session;
    await query(TABLE)
      .where({ id })
      .update({ rotated_at: dialect.writeInstant(at), expires_at: dialect.writeInstant(keptUntil(at)) });
  }

  async countRepeat(id: number): Promise<void> {
    await this.session.query(TABLE).where({ id }).increment('repeats', 1);
  }
}

export class KnexRefreshTokenReader implements RefreshTokenReader {
  constructor(private readonly session: Session) {}

  async findByDigest(digest: string): Promise<RefreshTokenWithGrant | undefined> {
    const { query, dialect } = this.session;
    const row = (await query({ token: TABLE })
      .join({ granted: 'oauth_grants' }, 'granted.id', 'token.grant_id')
      .join({ owner: 'users' }, 'owner.id', 'granted.user_id')
      .leftJoin({ application: 'oauth_applications' }, 'application.id', 'granted.application_id')
      .where('token.digest', digest)
      .first('granted.*', {
        application_uid: 'application.uid',
        owner_username: 'owner.username',
        owner_state: 'owner.state',
        rotated_at: 'token.rotated_at',
        token_created_at: 'token.created_at',
      })) as
      | (GrantRow & {
          application_uid: string | null;
          owner_username: string;
          owner_state: UserState;
          rotated_at: unknown;
          token_created_at: unknown;
        })
      | undefined;
    if (row === undefined) return undefined;
    const { application_id: id, application_uid: uid } = row;
    return {
      owner: { username: row.owner_username, state: row.owner_state },
      grant: toGrant(row, dialect),
      application: id === null || uid === null ? null : { id, uid },
      current: row.rotated_at === null,
      createdAt: dialect.readInstant(row.token_created_at),
    };
  }
}
