import { ContainerModule } from 'inversify';
import { AcceptInvitation } from '../../application/invitations/accept-invitation.js';
import { InvitationMails } from '../../application/invitations/invitation-mails.js';
import { Invitations } from '../../application/invitations/invitations.js';
import { SignUp } from '../../application/invitations/sign-up.js';
import { createInvitationRoutes } from '../../adapters/inbound/http/api-v4/invitations/invitation-routes.js';
import { addAcceptancePages } from '../../adapters/inbound/http/pages/invitations/acceptance-pages.js';
import { addInvitationPages } from '../../adapters/inbound/http/pages/invitations/invitation-pages.js';
import { KnexInvitationReader } from '../../adapters/outbound/persistence/knex/invitations/knex-invitation-repository.js';
import type { Context } from './context.js';
import { IDENTITY_TOKENS } from './identity.tokens.js';
import { invitationsStorage } from './invitations.storage.js';
import { INVITATION_TOKENS } from './invitations.tokens.js';
import type { Repositories } from './storages.js';
import { TOKENS } from './tokens.js';
import { WORKSPACE_TOKENS } from './workspace.tokens.js';

const invitationsModule = new ContainerModule(({ bind }) => {
  bind(INVITATION_TOKENS.invitations).toResolvedValue(
    (database, unitOfWork, workspace, { secrets, digester }, clock, metrics, address, config, passwordHasher) => {
      const { members: admission } = workspace;
      const { signUp } = config;
      const mails = new InvitationMails(secrets, digester, () => address.baseUrl, metrics);
      const parts = { unitOfWork, admission, passwordHasher, digester, clock, signUp };
      return {
        invitations: new Invitations(unitOfWork, admission, mails, clock, signUp),
        invitationReader: new KnexInvitationReader(database.reader),
        acceptInvitation: new AcceptInvitation<Repositories>(parts),
        signUp: new SignUp(unitOfWork, mails, clock, signUp),
      };
    },
    [
      TOKENS.database,
      TOKENS.unitOfWork,
      WORKSPACE_TOKENS.workspace,
      TOKENS.secrecy,
      TOKENS.clock,
      TOKENS.metrics,
      TOKENS.publicAddress,
      TOKENS.config,
      TOKENS.passwordHasher,
    ],
  );
});

/** How people who have no account come to one, and into projects and groups. */
export const invitationsContext: Context<typeof invitationsStorage> = {
  storage: invitationsStorage,
  modules: [invitationsModule],
  routes: (get) =>
    createInvitationRoutes({
      ...get(INVITATION_TOKENS.invitations),
      access: get(WORKSPACE_TOKENS.workspace).access,
      clock: get(TOKENS.clock),
    }),
  pages: (get) => (pages) => {
    const useCases = get(INVITATION_TOKENS.invitations);
    const { smtpUrl, signUp } = get(TOKENS.config);
    const mailIsSetUp = smtpUrl !== undefined;
    addAcceptancePages(pages, {
      ...useCases,
      ...get(TOKENS.pageParts),
      sessions: get(IDENTITY_TOKENS.identity).sessions,
      mailIsSetUp,
    });
    addInvitationPages(pages, {
      ...useCases,
      access: get(WORKSPACE_TOKENS.workspace).access,
      clock: get(TOKENS.clock),
      mailIsSetUp,
      invitesByMail: signUp !== 'off',
    });
  },
  jobs: (get) => ({
    send_sign_up_link: async (repositories, address) => {
      await get(INVITATION_TOKENS.invitations).signUp.send(repositories, address);
      return 'done';
    },
  }),
};
