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
    const [row] = (await onUniqueViolation(insert, REFUSALS)) as UserRow[];
    return toUser(row!, dialect);
  }

  async update(id: UserId, changes: UserChanges): Promise<void> {
    const before = await this.find(id);
    if (before === undefined) return;
    const { dialect } = this.session;
    const after = { ...before, ...changes };
    const update = this.session
      .query('users')
      .where({ id })
      .update({
        username: after.username,
        username_key: usernameKey(after.username),
        name: after.name,
        search_key: searchKey(after.username, after.name),
        state: after.state,
        admin: after.admin,
        password_hash: after.passwordHash,
        failed_attempts: after.failedAttempts,
        locked_until: writeInstantOrNull(dialect, after.lockedUntil),
        last_sign_in_at: writeInstantOrNull(dialect, after.lastSignInAt),
        ...twoFactorColumns(after.twoFactor),
      });
    await onUniqueViolation(update, REFUSALS);
  }

  async remove(id: UserId): Promise<void> {
    await this.session.query('users').where({ id }).delete();
  }

  async #first(where: Partial<Record<keyof UserRow, unknown>>): Promise<User | undefined> {
    const row = (await this.session.query('users').where(where).first()) as UserRow | undefined;
    return row && toUser(row, this.session.dialect);
  }
}
