import type { Knex } from 'knex';
import type { UserProfile, UserQuery, UserReader } from '../../../../../application/identity/ports/identity-readers.js';
import { emailKey, usernameKey, type EmailAddress } from '../../../../../domain/identity/user.js';
import type { UserId } from '../../../../../domain/shared/identifiers.js';
import type { Page } from '../../../../../domain/shared/page.js';
import { pageOfRows } from '../page-of-rows.js';
import type { FindFirst, Session } from '../session.js';
import { readInstantOrNull } from '../dialect/nullable-instants.js';
import { narrowUsers } from './narrow-users.js';
import { BOT_COLUMNS, toEmailAddress, toUser, type UserRow } from './user-row.js';

type ProfileRow = UserRow & { readonly primary_address: string | null; readonly primary_confirmed_at: unknown };

const ORDER_COLUMNS = {
  id: 'users.id',
  name: 'users.name',
  username: 'users.username_key',
  created_at: 'users.created_at',
} as const satisfies Record<UserQuery['orderBy'], string>;

// By name: `*` would change its meaning under a statement that is kept prepared, and hold secrets besides.
const PROFILE_COLUMNS = [
  'users.id',
  'users.username',
  'users.name',
  'users.state',
  'users.admin',
  'users.two_factor_sealed_secret',
  'users.created_at',
  'users.last_sign_in_at',
  'users.bio',
  'users.time_zone',
  ...BOT_COLUMNS.map((column) => `users.${column}`),
];

const profiles = (query: Knex) =>
  query('users')
    .leftJoin('emails', (join) => {
      join.on('emails.user_id', 'users.id').andOnVal('emails.is_primary', true);
    })
    .select(PROFILE_COLUMNS)
    .select({ primary_address: 'emails.address', primary_confirmed_at: 'emails.confirmed_at' });

export class KnexUserReader implements UserReader {
  readonly #find: FindFirst<ProfileRow>;
  readonly #findByUsername: FindFirst<ProfileRow>;

  constructor(private readonly session: Session) {
    this.#find = session.prepare('bigint', (query, id) => profiles(query).where('users.id', id));
    this.#findByUsername = session.prepare('text', (query, key) => profiles(query).where('users.username_key', key));
  }

  async find(id: UserId): Promise<UserProfile | undefined> {
    const row = await this.#find(id);
    return row && this.#toProfile(row);
  }

  async findByUsername(username: string): Promise<UserProfile | undefined> {
    const row = await this.#findByUsername(usernameKey(username));
    return row && this.#toProfile(row);
  }

  async findByEmail(address: string): Promise<UserProfile | undefined> {
    const { query } = this.session;
    const owner = query('emails')
      .where('emails.address_key', emailKey(address))
      .where((either) => void either.whereNotNull('emails.confirmed_at').orWhere('emails.is_primary', true))
      // Several may claim an address before one of them confirms it.
      .orderByRaw('case when emails.confirmed_at is null then 1 else 0 end, emails.id')
      .limit(1)
      .select('emails.user_id');
    const row = (await profiles(query).where('users.id', owner).first()) as ProfileRow | undefined;
    return row && this.#toProfile(row);
  }

  list({ orderBy, sort, page, ...narrowed }: UserQuery): Promise<Page<UserProfile>> {
    const list = profiles(this.session.query);
    narrowUsers(this.session, list, narrowed);
    void list.orderBy(ORDER_COLUMNS[orderBy], sort);
    if (orderBy !== 'id') void list.orderBy('users.id', sort);
    return pageOfRows(this.session, list, page, (row: ProfileRow) => this.#toProfile(row));
  }

  async emailsOf(userId: UserId): Promise<readonly EmailAddress[]> {
    const rows = await this.session.query('emails').where({ user_id: userId }).orderBy('id');
    return rows.map((row) => toEmailAddress(row, this.session.dialect));
  }

  #toProfile(row: ProfileRow): UserProfile {
    const {
      passwordHash: _,
      failedAttempts: _attempts,
      lockedUntil: _until,
      twoFactor,
      ...profile
    } = toUser(row, this.session.dialect);
    return {
      ...profile,
      email: row.primary_address,
      confirmedAt: readInstantOrNull(this.session.dialect, row.primary_confirmed_at),
      twoFactorEnabled: twoFactor !== null,
    };
  }
}
