import { KnexInvitationRepository } from '../../adapters/outbound/persistence/knex/invitations/knex-invitation-repository.js';
import { KnexWorkspaceReader } from '../../adapters/outbound/persistence/knex/workspace/knex-workspace-reader.js';
import { WorkspaceAccess } from '../../application/workspace/workspace-access.js';
import { defineStorage, job } from './storage.js';

export const invitationsStorage = defineStorage({
  name: 'invitations',
  stores: {
    invitations: ({ session }) => new KnexInvitationRepository(session),
    inviterRights: ({ session, clock }) => new WorkspaceAccess(new KnexWorkspaceReader(session), clock),
  },
  jobs: { send_sign_up_link: job<string>({ hurried: false }) },
});
