import type { Knex } from 'knex';
import type { UserProfile } from '../../../../../application/identity/ports/identity-readers.js';
import type { Dialect } from '../dialect/dialect.js';
import { readInstantOrNull } from '../dialect/nullable-instants.js';
import type { RowOf } from '../tables.js';
import { toBot } from './user-row.js';

type User = RowOf<'users'>;

/** The owner of a token, in a row that begins with the token. */
export interface OwnerProfileRow {
  readonly owner_id: User['id'];
  readonly owner_username: string;
  readonly owner_name: string;
  readonly owner_state: User['state'];
  readonly owner_admin: User['admin'];
  readonly owner_two_factor: boolean | number;
  readonly owner_created_at: User['created_at'];
  readonly owner_last_sign_in_at: unknown;
  readonly owner_bio: string | null;
  readonly owner_time_zone: User['time_zone'];
  readonly owner_bot_project_id: User['bot_project_id'];
  readonly owner_bot_group_id: User['bot_group_id'];
  readonly owner_bot_access_level: User['bot_access_level'];
  readonly owner_email: string | null;
  readonly owner_confirmed_at: unknown;
}

/** Adds the profile to a query that has joined `users` as `owner`. */
export const selectOwnerProfile = (query: Knex, tokens: Knex.QueryBuilder): Knex.QueryBuilder =>
  tokens
    .leftJoin({ owner_address: 'emails' }, (join) => {
      join.on('owner_address.user_id', 'owner.id').andOnVal('owner_address.is_primary', true);
    })
    .select({
      owner_id: 'owner.id',
      owner_username: 'owner.username',
      owner_name: 'owner.name',
      owner_state: 'owner.state',
      owner_admin: 'owner.admin',
      owner_created_at: 'owner.created_at',
      owner_last_sign_in_at: 'owner.last_sign_in_at',
      owner_bio: 'owner.bio',
      owner_time_zone: 'owner.time_zone',
      owner_bot_project_id: 'owner.bot_project_id',
      owner_bot_group_id: 'owner.bot_group_id',
      owner_bot_access_level: 'owner.bot_access_level',
      owner_email: 'owner_address.address',
      owner_confirmed_at: 'owner_address.confirmed_at',
    })
    .select(query.raw('owner.two_factor_sealed_secret is not null as owner_two_factor'));

export const toOwnerProfile = (row: OwnerProfileRow, dialect: Dialect): UserProfile => ({
  id: row.owner_id,
  username: row.owner_username,
  name: row.owner_name,
  state: row.owner_state,
  admin: Boolean(row.owner_admin),
  createdAt: dialect.readInstant(row.owner_created_at),
  lastSignInAt: readInstantOrNull(dialect, row.owner_last_sign_in_at),
  bio: row.owner_bio ?? '',
  timeZone: row.owner_time_zone,
  bot: toBot({
    bot_project_id: row.owner_bot_project_id,
    bot_group_id: row.owner_bot_group_id,
    bot_access_level: row.owner_bot_access_level,
  }),
  email: row.owner_email,
  confirmedAt: readInstantOrNull(dialect, row.owner_confirmed_at),
  twoFactorEnabled: Boolean(row.owner_two_factor),
});
