import type { EmailAddress, User } from '../../../domain/identity/user.js';
import type { AttemptRecord } from '../../../domain/identity/sign-in-lock.js';
import type { UserId } from '../../../domain/shared/identifiers.js';

export type NewUser = Pick<User, 'username' | 'name' | 'state' | 'admin' | 'passwordHash' | 'createdAt'>;
export type UserChanges = Partial<
  Pick<
    User,
    'username' | 'name' | 'state' | 'admin' | 'passwordHash' | 'twoFactor' | 'lastSignInAt' | 'bio' | 'timeZone'
  > &
    AttemptRecord
>;

export interface UserRepository {
  find(id: UserId): Promise<User | undefined>;
  /** The same, to be judged and changed: of many works that ask for one user, each waits for the one before. */
  take(id: UserId): Promise<User | undefined>;
  /** This user and every active administrator, locked in the order of their ids until the work ends; nobody makes them a member of something meanwhile. */
  takeWithAdministrators(id: UserId): Promise<readonly User[]>;
  /** Case does not count. */
  findByUsername(username: string): Promise<User | undefined>;
  /** The owner of a confirmed address, else the first account that was created with it. Case does not count. */
  findByEmail(address: string): Promise<User | undefined>;
  /** @throws Conflict "Username has already been taken". */
  add(user: NewUser): Promise<User>;
  /** @throws Conflict "Username has already been taken". */
  update(id: UserId, changes: UserChanges): Promise<void>;
  /** Removes the user with everything that is theirs alone: addresses, tokens, sessions, memberships, their namespace. */
  remove(id: UserId): Promise<void>;
}

export type NewEmailAddress = Omit<EmailAddress, 'id'> & { readonly createdAt: Date };

export interface EmailRepository {
  ofUser(userId: UserId): Promise<readonly EmailAddress[]>;
  find(id: number): Promise<EmailAddress | undefined>;
  /**
   * The same, to be judged and changed: the address is held with every account that has it. Taken before links to it are used up, as
   * whoever takes an address away ends those of others.
   */
  take(id: number): Promise<EmailAddress | undefined>;
  /**
   * An address that is confirmed already is taken from whoever has it unconfirmed.
   * @throws Conflict "Email has already been taken" when this account has it, or another has confirmed it.
   */
  add(email: NewEmailAddress): Promise<EmailAddress>;
  /**
   * The first account to confirm an address has it: others lose it. False when the address is gone.
   * @throws Conflict "Email has already been taken" when another account was first.
   */
  confirm(id: number, at: Date): Promise<boolean>;
  /** From then on a link for a new password may go to it, once it is confirmed. */
  useForRecovery(id: number, at: Date): Promise<void>;
  /** Takes that back for the addresses of a user that are neither confirmed nor primary. */
  withdrawRecovery(userId: UserId): Promise<void>;
  /** Makes this address the only primary one of its owner. */
  makePrimary(id: number): Promise<void>;
  remove(id: number): Promise<void>;
}
