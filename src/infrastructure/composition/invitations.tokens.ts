import type { AcceptInvitation } from '../../application/invitations/accept-invitation.js';
import type { Invitations } from '../../application/invitations/invitations.js';
import type { InvitationReader } from '../../application/invitations/ports/invitation-ports.js';
import type { SignUp } from '../../application/invitations/sign-up.js';
import type { Repositories } from './storages.js';
import { token } from './token.js';

export interface InvitationUseCases {
  readonly invitations: Invitations;
  readonly invitationReader: InvitationReader;
  readonly acceptInvitation: AcceptInvitation<Repositories>;
  readonly signUp: SignUp;
}

export const INVITATION_TOKENS = { invitations: token<InvitationUseCases>('InvitationUseCases') } as const;
