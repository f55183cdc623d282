import type { Knex } from 'knex';
import type {
  PersonalAccessTokenReader,
  TokenListQuery,
  TokenWithOwner,
} from '../../../../../application/identity/ports/identity-readers.js';
import type { PersonalAccessToken } from '../../../../../domain/identity/personal-access-token.js';
import type { UserState } from '../../../../../domain/identity/user.js';
import type { Page } from '../../../../../domain/shared/page.js';
import { pageOfRows } from '../page-of-rows.js';
import type { FindFirst, Session } from '../session.js';
import {
  PERSONAL_ACCESS_TOKEN_COLUMNS,
  toPersonalAccessToken,
  type PersonalAccessTokenRow,
} from './personal-access-token-row.js';

type TokenWithOwnerRow = PersonalAccessTokenRow & {
  readonly owner_username: string;
  readonly owner_admin: boolean | number;
  readonly owner_state: UserState;
};

const findByDigest = (query: Knex, digest: Knex.Value) =>
  query({ token: 'personal_access_tokens' })
    .join({ owner: 'users' }, 'owner.id', 'token.user_id')
    .where('token.digest', digest)
    .select(PERSONAL_ACCESS_TOKEN_COLUMNS.map((column) => `token.${column}`))
    .select({ owner_username: 'owner.username', owner_admin: 'owner.admin', owner_state: 'owner.state' });

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
    return (
      row && {
        token: toPersonalAccessToken(row, this.session.dialect),
        owner: {
          id: row.user_id,
          username: row.owner_username,
          admin: Boolean(row.owner_admin),
          state: row.owner_state,
        },
      }
    );
  }

  list({ userId, page }: TokenListQuery): Promise<Page<PersonalAccessToken>> {
    const list = this.session.query('personal_access_tokens').select('*').orderBy('id');
    if (userId !== undefined) void list.where({ user_id: userId });
    return pageOfRows(this.session, list, page, (row: PersonalAccessTokenRow) =>
      toPersonalAccessToken(row, this.session.dialect),
    );
  }
}
