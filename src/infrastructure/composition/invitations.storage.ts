import { KnexInvitationRepository } from '../../adapters/outbound/persistence/knex/invitations/knex-invitation-repository.js';
import { defineStorage, job } from './storage.js';

export const invitationsStorage = defineStorage({
  name: 'invitations',
  stores: { invitations: ({ session }) => new KnexInvitationRepository(session) },
  jobs: { send_sign_up_link: job<string>({ hurried: false }) },
});
