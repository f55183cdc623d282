import type { User } from '../../../domain/identity/user.js';
import { Unauthenticated } from '../../../domain/shared/domain-error.js';
import type { UserId } from '../../../domain/shared/identifiers.js';
import type { SessionRepository } from '../ports/session-repository.js';
import type { UserRepository } from '../ports/user-repository.js';

/** What holding a session needs of a transaction. */
export interface HeldSessionNeeds {
  readonly users: UserRepository;
  readonly sessions: SessionRepository;
}

/**
 * Locks the session that something is done in until the transaction ends, so that what ends it waits, or has ended it already.
 *
 * @returns whose it is, as they are now.
 * @throws Unauthenticated when it has ended since it was looked at.
 */
export const holdSession = async (
  { users, sessions }: HeldSessionNeeds,
  { userId, sessionId }: { readonly userId: UserId; readonly sessionId: number },
): Promise<User> => {
  // The order in which a new password locks them.
  const user = await users.take(userId);
  if (user === undefined || !(await sessions.hold(sessionId))) throw new Unauthenticated();
  return user;
};
