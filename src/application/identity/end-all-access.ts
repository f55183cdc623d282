import type { UserId } from '../../domain/shared/identifiers.js';
import type { GrantRepository } from '../oauth/ports/oauth-repositories.js';
import type { PersonalAccessTokenRepository } from './ports/personal-access-token-repository.js';
import type { SessionRepository } from './ports/session-repository.js';

/** What lets a user in without his password. */
export interface AccessRepositories {
  readonly sessions: SessionRepository;
  readonly grants: GrantRepository;
  readonly personalAccessTokens: PersonalAccessTokenRepository;
}

/** Ends every session and every token of a user, as when his account is taken back from somebody. */
export const endAllAccess = async (
  { sessions, grants, personalAccessTokens }: AccessRepositories,
  userId: UserId,
  at: Date,
): Promise<void> => {
  await sessions.removeAllOf(userId);
  await grants.revokeAllOf(userId, 'password_changed', at);
  await personalAccessTokens.revokeAllOf(userId, at);
};
