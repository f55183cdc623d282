import { Type } from '@sinclair/typebox';
import { invitedTo, type Invitations } from '../../../../../application/invitations/invitations.js';
import type {
  InvitationReader,
  ManagerOfMembers,
  PendingInvitation,
} from '../../../../../application/invitations/ports/invitation-ports.js';
import type { Clock } from '../../../../../application/shared/ports/clock.js';
import type { WorkspaceAccess } from '../../../../../application/workspace/workspace-access.js';
import { BadRequest, Invalid, TooManyRequests } from '../../../../../domain/shared/domain-error.js';
import { given } from '../../kit/given.js';
import { GROUP_ID, inGroup, inProject, PROJECT_ID } from '../../kit/guards.js';
import { pagedList } from '../../kit/paged-list.js';
import { component } from '../../openapi/component.js';
import { route, type Guard, type Route } from '../../route.js';
import { day, nullable, parameters, pathId, requiredText, text, wholeNumber } from '../../validation/parameters.js';

export interface InvitationRoutesParts {
  readonly access: WorkspaceAccess;
  readonly invitations: Invitations;
  readonly invitationReader: InvitationReader;
  readonly clock: Clock;
}

/** Groups and projects have their invitations at like addresses, with like answers. */
interface Owner {
  readonly base: string;
  readonly name: 'Project' | 'Group';
  readonly id: typeof PROJECT_ID;
  readonly manage: Guard<ManagerOfMembers>;
}

interface Parts extends InvitationRoutesParts {
  readonly owner: Owner;
}

/** As many as a person may send within an hour. */
const MOST_ADDRESSES = 20;
const MAX_ADDRESS = 255;
const ADDRESS = pathId('The address that was invited, URL-encoded');

const InvitationSchema = component(
  'schemas/Invitation',
  Type.Object({
    id: Type.Integer(),
    invite_email: Type.String(),
    created_at: Type.String({ format: 'date-time' }),
    access_level: Type.Integer(),
    expires_at: nullable(Type.String({ format: 'date', description: 'The UTC day on which the membership ends' })),
    user_name: Type.Null({ description: 'Whether anybody has the address is not told' }),
    created_by_name: nullable(Type.String()),
  }),
);

/** What came of inviting people. */
const InvitedSchema = component(
  'schemas/Invited',
  Type.Object({
    status: Type.Union([Type.Literal('success'), Type.Literal('error')]),
    message: Type.Optional(Type.Record(Type.String(), Type.String(), { description: 'By address' })),
  }),
);

const ChangedSchema = component(
  'schemas/ChangedInvitation',
  Type.Object({ access_level: Type.Integer(), expires_at: nullable(Type.String({ format: 'date' })) }),
);

const present = ({ id, address, membership, createdAt, inviterName }: PendingInvitation) => ({
  id,
  invite_email: address,
  created_at: createdAt.toISOString(),
  access_level: membership?.accessLevel ?? 0,
  expires_at: membership?.memberUntil ?? null,
  user_name: null,
  created_by_name: inviterName,
});

const addressesIn = (sent: string): readonly string[] => {
  const addresses = [...new Set(sent.split(',').map((address) => address.trim()))].filter((each) => each !== '');
  if (addresses.length > MOST_ADDRESSES) throw new BadRequest(`At most ${MOST_ADDRESSES} people are invited at once`);
  return addresses.length === 0 ? [sent] : addresses;
};

/** What to say of an address that nobody is invited by. */
const refusalIn = (error: unknown): string => {
  if (error instanceof TooManyRequests) return error.message;
  if (error instanceof Invalid && error.problems['email'] !== undefined)
    return `Email ${error.problems['email'].join(', ')}`;
  throw error;
};

const invitePeople = ({ owner, invitations }: Parts) =>
  route({
    method: 'post',
    path: owner.base,
    operationId: `invite${owner.name}Members`,
    summary: 'Invite people by mail',
    description:
      'Does the same whoever has an address, and whether or not anybody does. Answers 201 with the status `error` where some could not be invited, and says why for each; the others are.',
    tag: `${owner.name} members`,
    access: 'user',
    parameters: parameters({
      id: owner.id,
      email: requiredText(
        MOST_ADDRESSES * (MAX_ADDRESS + 2),
        `An address, or up to ${MOST_ADDRESSES}, separated by commas`,
      ),
      access_level: wholeNumber('10, 20, 30, 40, and on groups 50'),
      expires_at: Type.Optional(nullable(day('The UTC day on which the membership ends'))),
    }),
    responses: {
      201: InvitedSchema,
    },
    guard: owner.manage,
    handle: async ({ actor, subject, parameters: { email, access_level: accessLevel, expires_at = null } }) => {
      const refused: [string, string][] = [];
      for (const address of addressesIn(email)) {
        try {
          await invitations.invite(subject, actor, { address, accessLevel, expiresAt: expires_at });
        } catch (error) {
          refused.push([address, refusalIn(error)]);
        }
      }
      const outcome =
        refused.length === 0 ? { status: 'success' } : { status: 'error', message: Object.fromEntries(refused) };
      return { status: 201, body: outcome };
    },
  });

const listInvitations = ({ owner, invitationReader, clock }: Parts) =>
  pagedList({
    path: owner.base,
    operationId: `list${owner.name}Invitations`,
    summary: 'Invitations that nobody has accepted yet',
    tag: `${owner.name} members`,
    access: 'user',
    parameters: { id: owner.id, query: Type.Optional(text(MAX_ADDRESS, 'Part of an address')) },
    items: InvitationSchema,
    guard: owner.manage,
    read: ({ subject, parameters: { query }, page }) =>
      invitationReader.list(invitedTo(subject), clock.now(), page, query),
    present,
  });

const changeInvitation = ({ owner, invitations }: Parts) =>
  route({
    method: 'put',
    path: `${owner.base}/:email`,
    operationId: `change${owner.name}Invitation`,
    summary: 'Change what an invitation leads to',
    description: 'It is yours from then on: its link does what you may do.',
    tag: `${owner.name} members`,
    access: 'user',
    parameters: parameters({
      id: owner.id,
      email: ADDRESS,
      access_level: Type.Optional(wholeNumber('10, 20, 30, 40, and on groups 50')),
      expires_at: Type.Optional(nullable(day('The UTC day on which the membership ends'))),
    }),
    responses: {
      200: ChangedSchema,
    },
    guard: owner.manage,
    handle: async ({ actor, subject, parameters: { email, access_level: accessLevel, expires_at: expiresAt } }) => {
      const changed = await invitations.change(subject, actor, email, given({ accessLevel, expiresAt }));
      return { body: { access_level: changed.accessLevel, expires_at: changed.memberUntil } };
    },
  });

const withdrawInvitation = ({ owner, invitations }: Parts) =>
  route({
    method: 'delete',
    path: `${owner.base}/:email`,
    operationId: `withdraw${owner.name}Invitation`,
    summary: 'Withdraw an invitation; its link is refused from then on',
    tag: `${owner.name} members`,
    access: 'user',
    parameters: parameters({ id: owner.id, email: ADDRESS }),
    responses: { 204: null },
    guard: owner.manage,
    handle: async ({ subject, parameters: { email } }) => {
      await invitations.withdrawFrom(subject, email);
      return { status: 204 };
    },
  });

const ownersOf = ({ access }: InvitationRoutesParts): readonly Owner[] => [
  {
    base: '/projects/:id/invitations',
    name: 'Project',
    id: PROJECT_ID,
    manage: inProject(access, 'manage_project_members'),
  },
  { base: '/groups/:id/invitations', name: 'Group', id: GROUP_ID, manage: inGroup(access, 'manage_group_members') },
];

export const createInvitationRoutes = (shared: InvitationRoutesParts): readonly Route[] =>
  ownersOf(shared)
    .map((owner) => ({ ...shared, owner }))
    .flatMap((parts) => [
      listInvitations(parts),
      invitePeople(parts),
      changeInvitation(parts),
      withdrawInvitation(parts),
    ]);
