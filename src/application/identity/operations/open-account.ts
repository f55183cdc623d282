import type { EmailAddress, User } from '../../../domain/identity/user.js';
import type { DomainEvents } from '../../shared/domain-events.js';
import type { EmailRepository, UserRepository } from '../ports/user-repository.js';

export interface NewAccount extends Pick<User, 'username' | 'name' | 'admin' | 'passwordHash'> {
  /** The primary one. */
  readonly address: string;
  /** Whether it is known that the person reads it. */
  readonly confirmed: boolean;
}

/**
 * Opens an account within the transaction of another work.
 * @throws Conflict when the name or the address is taken.
 */
export const openAccount = async (
  repositories: { readonly users: UserRepository; readonly emails: EmailRepository; readonly events: DomainEvents },
  { username, name, admin, passwordHash, address, confirmed }: NewAccount,
  at: Date,
): Promise<{ readonly user: User; readonly email: EmailAddress }> => {
  const { users, emails, events } = repositories;
  const user = await users.add({ username, name, admin, passwordHash, state: 'active', createdAt: at });
  const email = await emails.add({
    userId: user.id,
    address,
    primary: true,
    confirmedAt: confirmed ? at : null,
    recoverySince: at,
    createdAt: at,
  });
  await events.publish({ kind: 'account_created', accountId: user.id, username, name, at });
  return { user, email };
};
