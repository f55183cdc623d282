import type { Knex } from 'knex';
import type {
  PresentedRefreshToken,
  RefreshTokenReader,
  RefreshTokenWithGrant,
} from '../../../../../application/oauth/ports/oauth-readers.js';
import type { RefreshTokenRepository, TokenFamily } from '../../../../../application/oauth/ports/oauth-repositories.js';
import type { UserState } from '../../../../../domain/identity/user.js';
import type { RefreshToken } from '../../../../../domain/oauth/refresh-token.js';
import type { Dialect } from '../dialect/dialect.js';
import { readInstantOrNull } from '../dialect/nullable-instants.js';
import type { FindFirst, Session } from '../session.js';
import {
  CLAIMED_PERSON,
  JOIN_ADDRESS,
  SELECT_CLAIMED_PERSON,
  toClaimedPerson,
  type ClaimedPersonRow,
} from './claimed-person-row.js';
import { GRANT_COLUMNS, toGrant, type GrantRow } from './grant-row.js';
import type { RowOf } from '../tables.js';

const TABLE = 'oauth_refresh_tokens';

type RefreshTokenRow = Pick<
  RowOf<'oauth_refresh_tokens'>,
  'id' | 'grant_id' | 'access_token_id' | 'rotated_at' | 'repeats'
>;

const FIND = `select id, grant_id, access_token_id, rotated_at, repeats from ${TABLE} where digest = ?`;
const FIND_FAMILY = `select ${GRANT_COLUMNS.map((column) => `granted.${column}`).join(', ')}, ${SELECT_CLAIMED_PERSON}, person.state as owner_state
  from ${TABLE} token join oauth_grants granted on granted.id = token.grant_id join users person on person.id = granted.user_id
  ${JOIN_ADDRESS} where token.digest = ?`;

type FamilyRow = GrantRow & ClaimedPersonRow & { readonly owner_state: UserState };

const toFamily = (row: FamilyRow, dialect: Dialect): TokenFamily => ({
  grant: toGrant(row, dialect),
  owner: { ...toClaimedPerson(row, dialect), state: row.owner_state },
});

const toRefreshToken = (row: RefreshTokenRow, dialect: Dialect): RefreshToken => ({
  id: row.id,
  grantId: row.grant_id,
  accessTokenId: row.access_token_id,
  rotatedAt: readInstantOrNull(dialect, row.rotated_at),
  repeats: row.repeats,
});

export class KnexRefreshTokenRepository implements RefreshTokenRepository {
  constructor(private readonly session: Session) {}

  async take(digest: string): Promise<RefreshToken | undefined> {
    const { dialect } = this.session;
    const [row] = await this.session.run<RefreshTokenRow>(`${FIND} ${dialect.rowLock}`, [digest]);
    return row && toRefreshToken(row, dialect);
  }

  async familyOf(digest: string): Promise<TokenFamily | undefined> {
    const [row] = await this.session.run<FamilyRow>(FIND_FAMILY, [digest]);
    return row && toFamily(row, this.session.dialect);
  }
}

type PresentedRow = FamilyRow & {
  readonly token_id: number;
  readonly access_token_id: number | null;
  readonly rotated_at: RefreshTokenRow['rotated_at'];
  readonly repeats: number;
};

const findPresented = (query: Knex, digest: Knex.Value) =>
  query({ token: TABLE })
    .join({ granted: 'oauth_grants' }, 'granted.id', 'token.grant_id')
    .join({ person: 'users' }, 'person.id', 'granted.user_id')
    .joinRaw(JOIN_ADDRESS)
    .where('token.digest', digest)
    .select(...GRANT_COLUMNS.map((column) => `granted.${column}`), {
      ...CLAIMED_PERSON,
      owner_state: 'person.state',
      token_id: 'token.id',
      access_token_id: 'token.access_token_id',
      rotated_at: 'token.rotated_at',
      repeats: 'token.repeats',
    });

export class KnexRefreshTokenReader implements RefreshTokenReader {
  readonly #findPresented: FindFirst<PresentedRow>;

  constructor(private readonly session: Session) {
    this.#findPresented = session.prepare('text', findPresented);
  }

  async findPresented(digest: string): Promise<PresentedRefreshToken | undefined> {
    const row = await this.#findPresented(digest);
    if (row === undefined) return undefined;
    const { dialect } = this.session;
    const token = toRefreshToken({ ...row, id: row.token_id, grant_id: row.id }, dialect);
    return { token, family: toFamily(row, dialect) };
  }

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
