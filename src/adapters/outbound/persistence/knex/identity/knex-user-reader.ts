import type { UserProfile, UserQuery, UserReader } from '../../../../../application/identity/ports/identity-readers.js';
import { usernameKey, type EmailAddress } from '../../../../../domain/identity/user.js';
import type { UserId } from '../../../../../domain/shared/identifiers.js';
import type { Page } from '../../../../../domain/shared/page.js';
import { pageOfRows } from '../page-of-rows.js';
import type { Session } from '../session.js';
import { containsPattern } from '../text-search.js';
import { readInstantOrNull } from '../dialect/nullable-instants.js';
import { toEmailAddress, toUser, type EmailRow, type UserRow } from './user-row.js';

type ProfileRow = UserRow & { readonly primary_address: string | null; readonly primary_confirmed_at: unknown };

const ORDER_COLUMNS = {
  id: 'users.id',
  name: 'users.name',
  username: 'users.username_key',
  created_at: 'users.created_at',
} as const satisfies Record<UserQuery['orderBy'], string>;

export class KnexUserReader implements UserReader {
  constructor(private readonly session: Session) {}

  find(id: UserId): Promise<UserProfile | undefined> {
    return this.#first('users.id', id);
  }

  findByUsername(username: string): Promise<UserProfile | undefined> {
    return this.#first('users.username_key', usernameKey(username));
  }

  list({ username, search, state, orderBy, sort, page }: UserQuery): Promise<Page<UserProfile>> {
    const list = this.#profiles();
    if (username !== undefined) void list.where('users.username_key', usernameKey(username));
    if (search !== undefined) void list.whereRaw("users.search_key like ? escape '\\'", [containsPattern(search)]);
    if (state !== undefined) void list.where('users.state', state);
    void list.orderBy(ORDER_COLUMNS[orderBy], sort);
    if (orderBy !== 'id') void list.orderBy('users.id', sort);
    return pageOfRows(this.session, list, page, (row: ProfileRow) => this.#toProfile(row));
  }

  async emailsOf(userId: UserId): Promise<readonly EmailAddress[]> {
    const rows = (await this.session.query('emails').where({ user_id: userId }).orderBy('id')) as EmailRow[];
    return rows.map((row) => toEmailAddress(row, this.session.dialect));
  }

  async #first(column: string, value: unknown): Promise<UserProfile | undefined> {
    const row = (await this.#profiles()
      .where(column, value as string)
      .first()) as ProfileRow | undefined;
    return row && this.#toProfile(row);
  }

  #profiles() {
    const { query } = this.session;
    return query('users')
      .leftJoin('emails', (join) => {
        join.on('emails.user_id', 'users.id').andOnVal('emails.is_primary', true);
      })
      .select('users.*', { primary_address: 'emails.address', primary_confirmed_at: 'emails.confirmed_at' });
  }

  #toProfile(row: ProfileRow): UserProfile {
    const { id, username, name, state, admin, createdAt, lastSignInAt, twoFactor } = toUser(row, this.session.dialect);
    return {
      id,
      username,
      name,
      state,
      admin,
      createdAt,
      lastSignInAt,
      email: row.primary_address,
      confirmedAt: readInstantOrNull(this.session.dialect, row.primary_confirmed_at),
      twoFactorEnabled: twoFactor !== null,
    };
  }
}
