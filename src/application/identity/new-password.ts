import { NO_FAILURES } from '../../domain/identity/sign-in-lock.js';
import type { UserId } from '../../domain/shared/identifiers.js';
import type { DomainEvents } from '../shared/domain-events.js';
import type { OneTimeTokenRepository } from './ports/one-time-token-repository.js';
import type { PersonalAccessTokenRepository } from './ports/personal-access-token-repository.js';
import type { SessionRepository } from './ports/session-repository.js';
import type { EmailRepository, UserRepository } from './ports/user-repository.js';

/** What identity itself lets a user in by, beside the password; other contexts hear of it. */
export interface AccessRepositories {
  readonly users: UserRepository;
  readonly emails: EmailRepository;
  readonly sessions: SessionRepository;
  readonly oneTimeTokens: OneTimeTokenRepository;
  readonly personalAccessTokens: PersonalAccessTokenRepository;
  readonly events: DomainEvents;
}

/** What a new password leaves alone. */
export type Spared =
  | 'nothing'
  /** Of its owner, who is here to revoke their tokens one by one. */
  | { readonly sessionId: number; readonly otherSessions: boolean; readonly personalAccessTokens: true };

/**
 * Sets a password and ends what the old one let in: every link for a new password, the recovery by addresses that nobody has confirmed yet, whoever has proved the old one and not yet the second
 * factor, what applications were given, and, unless they are spared, sessions and personal access tokens.
 */
export const setNewPassword = async (
  repositories: AccessRepositories,
  userId: UserId,
  passwordHash: string,
  at: Date,
  spared: Spared,
): Promise<void> => {
  const { users, emails, sessions, oneTimeTokens, personalAccessTokens, events } = repositories;
  // Whoever makes a link for this user meanwhile waits, or has made it already.
  await users.take(userId);
  await users.update(userId, { passwordHash, ...NO_FAILURES });
  await oneTimeTokens.removeAllOf(userId, 'reset_password');
  // Whoever knew the old one may have added them.
  await emails.withdrawRecovery(userId);
  await sessions.removeUnfinishedOf(userId);
  await sessions.forgetProofsOf(userId, spared === 'nothing' ? undefined : spared.sessionId);
  await events.publish({ kind: 'access_ended', accountId: userId, reason: 'password_changed', at });
  if (spared === 'nothing') {
    await sessions.removeAllOf(userId);
    await personalAccessTokens.revokeAllOf(userId, at);
  } else if (!spared.otherSessions) await sessions.removeAllOf(userId, spared.sessionId);
};
