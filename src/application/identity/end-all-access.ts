import type { RevocationReason } from '../../domain/oauth/grant.js';
import type { UserId } from '../../domain/shared/identifiers.js';
import type { AuthorizationCodeRepository, GrantRepository } from '../oauth/ports/oauth-repositories.js';
import type { PersonalAccessTokenRepository } from './ports/personal-access-token-repository.js';
import type { SessionRepository } from './ports/session-repository.js';

/** What applications were given, and may yet be given for what a person has said. */
export interface GivenRepositories {
  readonly authorizationCodes: AuthorizationCodeRepository;
  readonly grants: GrantRepository;
}

/** What lets a user in without his password. */
export interface AccessRepositories extends GivenRepositories {
  readonly sessions: SessionRepository;
  readonly personalAccessTokens: PersonalAccessTokenRepository;
}

/** Ends what applications were given. The codes first: a redemption that is under way has then made its grant, or never will. */
export const endGrants = async (
  { authorizationCodes, grants }: GivenRepositories,
  userId: UserId,
  reason: RevocationReason,
  at: Date,
): Promise<void> => {
  await authorizationCodes.removeUnredeemedOf(userId);
  await grants.revokeAllOf(userId, reason, at);
};

/** Ends every session and every token of a user, as when his account is taken back from somebody. */
export const endAllAccess = async (repositories: AccessRepositories, userId: UserId, at: Date): Promise<void> => {
  await repositories.sessions.removeAllOf(userId);
  await endGrants(repositories, userId, 'password_changed', at);
  await repositories.personalAccessTokens.revokeAllOf(userId, at);
};
