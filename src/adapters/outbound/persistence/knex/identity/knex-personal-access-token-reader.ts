import type { Knex } from 'knex';
import type {
  PersonalAccessTokenReader,
  TokenListQuery,
  TokenWithOwner,
} from '../../../../../application/identity/ports/identity-readers.js';
import type { PersonalAccessToken } from '../../../../../domain/identity/personal-access-token.js';
import type { Page } from '../../../../../domain/shared/page.js';
import { pageOfRows } from '../page-of-rows.js';
import type { FindFirst, Session } from '../session.js';
import { narrowTokens } from './narrow-tokens.js';
import { selectOwnerProfile, toOwnerProfile, type OwnerProfileRow } from './owner-profile.js';
import {
  PERSONAL_ACCESS_TOKEN_COLUMNS,
  toPersonalAccessToken,
  type PersonalAccessTokenRow,
} from './personal-access-token-row.js';

type TokenWithOwnerRow = PersonalAccessTokenRow & OwnerProfileRow;

const findByDigest = (query: Knex, digest: Knex.Value) =>
  selectOwnerProfile(
    query,
    query({ token: 'personal_access_tokens' })
      .join({ owner: 'users' }, 'owner.id', 'token.user_id')
      .where('token.digest', digest)
      .select(PERSONAL_ACCESS_TOKEN_COLUMNS.map((column) => `token.${column}`)),
  );

export class KnexPersonalAccessTokenReader implements PersonalAccessTokenReader {
  readonly #findByDigest: FindFirst<TokenWithOwnerRow>;

  constructor(private readonly session: Session) {
    this.#findByDigest = session.prepare('text', findByDigest);
  }

  async find(id: number): Promise<PersonalAccessToken | undefined> {
    const row = await this.session.query('personal_access_tokens').where({ id }).first();
    return row && toPersonalAccessToken(row, this.session.dialect);
  }

  async findByDigest(digest: string): Promise<TokenWithOwner | undefined> {
    const row = await this.#findByDigest(digest);
    const { dialect } = this.session;
    return row && { token: toPersonalAccessToken(row, dialect), owner: toOwnerProfile(row, dialect) };
  }

  list({ userId, page, ...filters }: TokenListQuery): Promise<Page<PersonalAccessToken>> {
    const list = this.session.query('personal_access_tokens').select('*');
    narrowTokens(this.session, list, filters);
    if (userId !== undefined) void list.where({ user_id: userId });
    return pageOfRows(this.session, list, page, (row: PersonalAccessTokenRow) =>
      toPersonalAccessToken(row, this.session.dialect),
    );
  }
}
