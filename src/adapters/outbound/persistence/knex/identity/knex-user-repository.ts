import type {
  NewUser,
  UserChanges,
  UserRepository,
} from '../../../../../application/identity/ports/user-repository.js';
import { emailKey, usernameKey, type User } from '../../../../../domain/identity/user.js';
import { Conflict } from '../../../../../domain/shared/domain-error.js';
import type { UserId } from '../../../../../domain/shared/identifiers.js';
import { onUniqueViolation } from '../dialect/on-unique-violation.js';
import type { Session } from '../session.js';
import { searchKey } from '../text-search.js';
import { writeInstantOrNull } from '../dialect/nullable-instants.js';
import { toUser, twoFactorColumns, type UserRow } from './user-row.js';

const REFUSALS = { users_username_key_unique: () => new Conflict('Username has already been taken') };

export class KnexUserRepository implements UserRepository {
  constructor(private readonly session: Session) {}

  find(id: UserId): Promise<User | undefined> {
    return this.#first({ id });
  }

  findByUsername(username: string): Promise<User | undefined> {
    return this.#first({ username_key: usernameKey(username) });
  }

  async findByEmail(address: string): Promise<User | undefined> {
    const row = (await this.session
      .query('users')
      .join('emails', 'emails.user_id', 'users.id')
      .where('emails.address_key', emailKey(address))
      .where((either) => void either.whereNotNull('emails.confirmed_at').orWhere('emails.is_primary', true))
      .orderByRaw('case when emails.confirmed_at is null then 1 else 0 end, emails.id')
      .first('users.*')) as UserRow | undefined;
    return row && toUser(row, this.session.dialect);
  }

  async add(user: NewUser): Promise<User> {
    const { query, dialect } = this.session;
    const insert = query('users')
      .insert({
        username: user.username,
        username_key: usernameKey(user.username),
        name: user.name,
        search_key: searchKey(user.username, user.name),
        state: user.state,
        admin: user.admin,
        password_hash: user.passwordHash,
        failed_attempts: 0,
        created_at: dialect.writeInstant(user.createdAt),
      })
      .returning('*');
    const [row] = await onUniqueViolation(insert, REFUSALS);
    return toUser(row!, dialect);
  }

  async take(id: UserId): Promise<User | undefined> {
    const { query, dialect } = this.session;
    const [row] = await dialect.lockRows(query('users').where({ id }));
    return row && toUser(row, dialect);
  }

  async takeWithAdministrators(id: UserId): Promise<readonly User[]> {
    const { query, dialect } = this.session;
    const administratorsOrUser = query('users').where({ admin: true, state: 'active' }).orWhere({ id }).orderBy('id');
    const rows = (await dialect.lockRowsAgainstReferences(administratorsOrUser)) as UserRow[];
    return rows.map((row) => toUser(row, dialect));
  }

  /** Only what changes is written: anything else may have been changed by others meanwhile. */
  async update(id: UserId, changes: UserChanges): Promise<void> {
    const { dialect } = this.session;
    const { state, admin, passwordHash, failedAttempts, lockedUntil, lastSignInAt, twoFactor, bio, timeZone } = changes;
    const columns = {
      ...(await this.#nameColumns(id, changes)),
      ...(state === undefined ? {} : { state }),
      ...(admin === undefined ? {} : { admin }),
      ...(passwordHash === undefined ? {} : { password_hash: passwordHash }),
      ...(failedAttempts === undefined ? {} : { failed_attempts: failedAttempts }),
      ...(lockedUntil === undefined ? {} : { locked_until: writeInstantOrNull(dialect, lockedUntil) }),
      ...(lastSignInAt === undefined ? {} : { last_sign_in_at: writeInstantOrNull(dialect, lastSignInAt) }),
      ...(twoFactor === undefined ? {} : twoFactorColumns(twoFactor)),
      ...(bio === undefined ? {} : { bio: bio === '' ? null : bio }),
      ...(timeZone === undefined ? {} : { time_zone: timeZone }),
    };
    if (Object.keys(columns).length === 0) return;
    await onUniqueViolation(this.session.query('users').where({ id }).update(columns), REFUSALS);
  }

  async remove(id: UserId): Promise<void> {
    await this.session.query('users').where({ id }).delete();
  }

  /** People are searched by both of their names at once. */
  async #nameColumns(id: UserId, changes: Pick<UserChanges, 'username' | 'name'>) {
    if (changes.username === undefined && changes.name === undefined) return {};
    const before = await this.take(id);
    if (before === undefined) return {};
    const { username = before.username, name = before.name } = changes;
    return { username, username_key: usernameKey(username), name, search_key: searchKey(username, name) };
  }

  async #first(where: Partial<Record<keyof UserRow, unknown>>): Promise<User | undefined> {
    const row = await this.session.query('users').where(where).first();
    return row && toUser(row, this.session.dialect);
  }
}
