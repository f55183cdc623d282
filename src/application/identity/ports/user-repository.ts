import type { EmailAddress, User } from '../../../domain/identity/user.js';
import type { AttemptRecord } from '../../../domain/identity/sign-in-lock.js';
import type { UserId } from '../../../domain/shared/identifiers.js';

export type NewUser = Pick<User, 'username' | 'name' | 'state' | 'admin' | 'passwordHash' | 'createdAt'>;
export type UserChanges = Partial<
  Pick<User, 'username' | 'name' | 'state' | 'admin' | 'passwordHash' | 'twoFactor' | 'lastSignInAt'> & AttemptRecord
>;

export interface UserRepository {
  find(id: UserId): Promise<User | undefined>;
  /** The same, to be judged and changed: of many works that ask for one user, each waits for the one before. */
  take(id: UserId): Promise<User | undefined>;
  /** Case does not count. */
  findByUsername(username: string): Promise<User | undefined>;
  /** The owner of an address, confirmed or not. Case does not count. */
  findByEmail(address: string): Promise<User | undefined>;
  /** @throws Conflict "Username has already been taken". */
  add(user: NewUser): Promise<User>;
  /** @throws Conflict "Username has already been taken". */
  update(id: UserId, changes: UserChanges): Promise<void>;
  /** Removes the user with everything that is his alone: addresses, tokens, sessions, memberships, his namespace. */
  remove(id: UserId): Promise<void>;
}

export type NewEmailAddress = Omit<EmailAddress, 'id'> & { readonly createdAt: Date };

export interface EmailRepository {
  ofUser(userId: UserId): Promise<readonly EmailAddress[]>;
  find(id: number): Promise<EmailAddress | undefined>;
  /** @throws Conflict "Email has already been taken". */
  add(email: NewEmailAddress): Promise<EmailAddress>;
  confirm(id: number, at: Date): Promise<void>;
  /** Makes this address the only primary one of its owner. */
  makePrimary(id: number): Promise<void>;
  remove(id: number): Promise<void>;
}
