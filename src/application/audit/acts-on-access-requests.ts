import type { UserId } from '../../domain/shared/identifiers.js';
import type { RequestedPlace } from '../../domain/workspace/access-request.js';
import type { AccessRequestRepository } from '../workspace/ports/access-requests.js';
import type { ActsOf } from './acts.js';
import type { AuditedThing, AuditFacts } from './ports/audit-ports.js';

const named = async (facts: AuditFacts, { kind, id }: RequestedPlace, userId: UserId): Promise<AuditedThing> => {
  const [place, user] = [await facts.pathOf(kind, id), await facts.user(userId)];
  return { ...(place === undefined ? {} : { place }), ...(user && { account: user.username }) };
};

export const actsOnAccessRequests: ActsOf<AccessRequestRepository> = {
  add: {
    before: async (facts, { place, userId }) => [{ kind: 'access_requested', ...(await named(facts, place, userId)) }],
  },
  instantsOf: 'ordinary',
  countOf: 'ordinary',
  countIn: 'ordinary',
  deny: {
    before: async (facts, place, userId) => [{ kind: 'access_request_denied', ...(await named(facts, place, userId)) }],
  },
  withdraw: {
    before: async (facts, place, userId) => [
      { kind: 'access_request_withdrawn', ...(await named(facts, place, userId)) },
    ],
  },
  // The membership is what is told.
  grant: 'ordinary',
  settle: 'ordinary',
  removeAllOf: 'ordinary',
};
