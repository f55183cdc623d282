import { ACCESS_LEVEL_NAMES, type AccessLevel } from '../../domain/shared/access-level.js';
import type { InvitationRepository } from '../invitations/ports/invitation-ports.js';
import type { InvitationPlace } from '../../domain/invitations/invitation.js';
import type { ActsOf } from './acts.js';
import type { AuditFacts } from './ports/audit-ports.js';

const roleOf = (accessLevel: number): string => ACCESS_LEVEL_NAMES[accessLevel as AccessLevel];

const placeIn = async (facts: AuditFacts, { kind, id }: InvitationPlace): Promise<{ readonly place?: string }> => {
  const path = await facts.pathOf(kind, id);
  return path === undefined ? {} : { place: path };
};

export const actsOnInvitations: ActsOf<InvitationRepository> = {
  add: {
    before: async (facts, { address, membership }) => {
      // Who asks for an account themselves has none that it could be told of.
      if (membership === null) return [];
      const { place, accessLevel } = membership;
      return [
        { kind: 'member_invited', subject: address, detail: roleOf(accessLevel), ...(await placeIn(facts, place)) },
      ];
    },
  },
  find: 'ordinary',
  // An account or a membership is what comes of it.
  consume: 'ordinary',
  findTo: 'ordinary',
  change: {
    before: async (facts, _id, { place, accessLevel }) => [
      { kind: 'invitation_changed', detail: roleOf(accessLevel), ...(await placeIn(facts, place)) },
    ],
  },
  withdraw: {
    before: async (facts, place) => [{ kind: 'invitation_withdrawn', ...(await placeIn(facts, place)) }],
  },
  instantsOf: 'ordinary',
  countTo: 'ordinary',
};
