import type { Invitation, InvitationPlace, InvitedMembership } from '../../../../../domain/invitations/invitation.js';
import type { Dialect } from '../dialect/dialect.js';
import type { RowOf } from '../tables.js';

export type InvitationRow = RowOf<'invitations'>;

const placeIn = ({ project_id, namespace_id }: InvitationRow): InvitationPlace | undefined => {
  if (project_id !== null) return { kind: 'project', id: project_id };
  return namespace_id === null ? undefined : { kind: 'group', id: namespace_id };
};

const membershipIn = (row: InvitationRow): InvitedMembership | null => {
  const place = placeIn(row);
  if (place === undefined || row.inviter_id === null || row.access_level === null) return null;
  return { place, inviterId: row.inviter_id, accessLevel: row.access_level, memberUntil: row.member_until };
};

export const toInvitation = (row: InvitationRow, dialect: Dialect): Invitation => ({
  id: row.id,
  address: row.address,
  membership: membershipIn(row),
  createdAt: dialect.readInstant(row.created_at),
  expiresAt: dialect.readInstant(row.expires_at),
});
