import type { NamespaceId, ProjectId, UserId } from '../shared/identifiers.js';

/** Who may get an account without an administrator: nobody, who is invited, or everybody. */
export type SignUpPolicy = 'off' | 'invite' | 'open';

/** The project or group that an invitation leads into. */
export type InvitationPlace =
  { readonly kind: 'project'; readonly id: ProjectId } | { readonly kind: 'group'; readonly id: NamespaceId };

/** What an invitation makes of whoever accepts it. */
export interface InvitedMembership {
  readonly inviterId: UserId;
  readonly place: InvitationPlace;
  readonly accessLevel: number;
  /** UTC day on which the membership ends, `YYYY-MM-DD`. */
  readonly memberUntil: string | null;
}

/** That somebody who reads an address may have an account, and become a member. */
export interface Invitation {
  readonly id: number;
  readonly address: string;
  /** Null for who asked for it themselves. */
  readonly membership: InvitedMembership | null;
  readonly createdAt: Date;
  readonly expiresAt: Date;
}

/** Mails that one person causes in an hour, so that nobody is flooded through the installation. */
export const INVITATIONS_AN_HOUR = 20;
/** Mails that one address gets in an hour, whoever causes them. */
export const INVITATIONS_TO_AN_ADDRESS_AN_HOUR = 3;

const DAY_MS = 86_400_000;
/** How long a link works that somebody was sent by another person, or asked for themselves. */
export const INVITATION_LASTS_MS = { invited: 7 * DAY_MS, asked: DAY_MS } as const;
