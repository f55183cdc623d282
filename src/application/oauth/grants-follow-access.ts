import type { Subscriber } from '../shared/domain-events.js';
import type { AuthorizationCodeRepository, GrantRepository } from './ports/oauth-repositories.js';

/** What ends the access of an account ends what applications were given for it. */
export const grantsFollowAccess: Subscriber<{
  readonly authorizationCodes: AuthorizationCodeRepository;
  readonly grants: GrantRepository;
}> = async (event, { authorizationCodes, grants }) => {
  if (event.kind !== 'access_ended') return;
  // The codes first: a redemption that is under way has then made its grant, or never will.
  await authorizationCodes.removeUnredeemedOf(event.accountId);
  await grants.revokeAllOf(event.accountId, event.reason, event.at);
};
