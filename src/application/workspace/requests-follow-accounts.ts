import type { Subscriber } from '../shared/domain-events.js';
import type { AccessRequestRepository } from './ports/access-requests.js';

/** Who is blocked asks for nothing any more; with an account that is removed its requests go by themselves. */
export const requestsFollowAccounts: Subscriber<{ readonly accessRequests: AccessRequestRepository }> = async (
  event,
  { accessRequests },
) => {
  if (event.kind === 'account_blocked') await accessRequests.removeAllOf(event.accountId);
};
