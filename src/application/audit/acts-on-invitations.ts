import { ACCESS_LEVEL_NAMES, type AccessLevel } from '../../domain/shared/access-level.js';
import type { InvitationRepository } from '../invitations/ports/invitation-ports.js';
import type { ActsOf } from './acts.js';

export const actsOnInvitations: ActsOf<InvitationRepository> = {
  add: {
    before: async (facts, { address, membership }) => {
      // Who asks for an account themselves has none that it could be told of.
      if (membership === null) return [];
      const { place, accessLevel } = membership;
      const path = await facts.pathOf(place.kind, place.id);
      const detail = ACCESS_LEVEL_NAMES[accessLevel as AccessLevel];
      return [{ kind: 'member_invited', subject: address, detail, ...(path === undefined ? {} : { place: path }) }];
    },
  },
  find: 'ordinary',
  // An account or a membership is what comes of it.
  consume: 'ordinary',
  withdraw: {
    before: async (facts, { kind, id }) => {
      const path = await facts.pathOf(kind, id);
      return [{ kind: 'invitation_withdrawn', ...(path === undefined ? {} : { place: path }) }];
    },
  },
  instantsOf: 'ordinary',
  countTo: 'ordinary',
};
