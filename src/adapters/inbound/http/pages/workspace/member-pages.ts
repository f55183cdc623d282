import type { UserProfile } from '../../../../../application/identity/ports/identity-readers.js';
import type { InviteCommand, Invitations } from '../../../../../application/invitations/invitations.js';
import type { ManagerOfMembers, Members } from '../../../../../application/workspace/members.js';
import type { MemberProfile } from '../../../../../application/workspace/ports/workspace-readers.js';
import { Forbidden, Invalid, NotFound } from '../../../../../domain/shared/domain-error.js';
import { identifierIn, type UserId } from '../../../../../domain/shared/identifiers.js';
import { given } from '../../kit/given.js';
import { orNotFound } from '../../kit/or-not-found.js';
import { field, fieldNumber, pathNumber } from '../form-fields.js';
import { addFormPage, dayField, typed, type Done } from '../frame/form-page.js';
import { addRemovalPage } from '../frame/removal-page.js';
import type { PageContext } from '../page-context.js';
import type { Pages } from '../page.js';
import { pageRequest, queryText } from '../page-request.js';
import { actorOf } from '../page-session.js';
import {
  addressOfInvitations,
  addressOfMembers,
  frameOf,
  levelName,
  mayManage,
  nameOf,
  placesOfMembers,
  readMembers,
  rolesUpTo,
  sendMemberPage,
  type PlaceOfMembers,
} from './place-of-members.js';
import { requestsAt, type AccessRequestPagesParts } from './access-request-forms.js';
import { addSharedGroupPages, sharedGroupsOf, type SharedGroupPagesParts } from './shared-group-pages.js';

export type MemberPagesParts = SharedGroupPagesParts &
  AccessRequestPagesParts & {
    readonly members: Members;
    readonly invitations: Invitations;
    readonly mailIsSetUp: boolean;
    /** False while nobody may get an account by an invitation. */
    readonly invitesByMail: boolean;
  };

/** Who is a member of a project or a group, and inviting, changing and removing them. */
export const addMemberPages = (pages: Pages, parts: MemberPagesParts): void => {
  const tab = { name: 'members', label: 'Members', to: 'members', order: 80, signedIn: true } as const;
  pages.tabs.addToProjects({ ...tab, permission: 'read_project' });
  pages.tabs.addToGroups({ ...tab, permission: 'read_group' });
  addSharedGroupPages(pages, parts);
  for (const place of placesOfMembers(parts)) {
    addInvitation(pages, parts, place);
    addMemberForm(pages, parts, place);
    addMemberRemoval(pages, parts, place);
    addMemberList(pages, parts, place);
  }
};

const addMemberList = (pages: Pages, parts: MemberPagesParts, { path, view, levels }: PlaceOfMembers): void => {
  pages.get(path, 'signed_in', async (context) => {
    const place = await view(context);
    const search = queryText(context, 'search');
    const page = await readMembers(parts, context, place, {
      inherited: true,
      ...given({ search: search || undefined }),
    });
    const me = actorOf(context.browser).id;
    const userIds = page.items.map(({ userId }) => userId);
    const { items } = await readMembers(parts, context, place, {
      inherited: false,
      userIds: [...new Set([...userIds, me])],
    });
    const direct = new Map(items.map((member) => [member.userId, member]));
    const manages = mayManage(place);
    const groups = await sharedGroupsOf(parts, context, place);
    const names = new Map(groups.map(({ groupId, name }) => [groupId, name]));
    await sendMemberPage(context, place, 'members', {
      title: `Members of ${nameOf(place)}`,
      members: page.items.map((member) => {
        const own = direct.get(member.userId);
        const mayChange = manages && own !== undefined && own.accessLevel <= place.level;
        const from = member.sharedGroupId === null ? undefined : names.get(member.sharedGroupId);
        return { ...member, level: levelName(member.accessLevel), isDirect: own !== undefined, from, mayChange };
      }),
      groups: 'project' in place ? groups : undefined,
      manages,
      me,
      // Where their own row is on another page.
      mayLeave: direct.has(me) && !userIds.includes(me),
      requests: await requestsAt(parts, place, levels),
      page,
      request: pageRequest(context),
      search,
    });
  });
};

/** An account by its username, or an address as it is: who asks isn't told whether an account has it. */
const findPerson = async (
  { users, invitesByMail }: MemberPagesParts,
  name: string,
): Promise<UserProfile | { readonly address: string }> => {
  if (name.includes('@')) {
    if (invitesByMail) return { address: name };
    throw new Invalid({ member: ['is an e-mail address, and nobody is invited by mail here'] });
  }
  const person = await users.findByUsername(name);
  if (person === undefined) throw new Invalid({ member: ['is not the username of an account'] });
  return person;
};

type Membership = Pick<InviteCommand, 'accessLevel' | 'expiresAt'>;

const inviteByMail = async (
  { invitations, mailIsSetUp }: MemberPagesParts,
  { browser }: PageContext,
  place: ManagerOfMembers,
  command: Membership & { readonly address: string },
): Promise<Done> => {
  try {
    await invitations.invite(place, actorOf(browser), command);
  } catch (error) {
    // The form has one field for usernames and addresses.
    if (!(error instanceof Invalid) || error.problems['email'] === undefined) throw error;
    const { email, ...others } = error.problems;
    throw new Invalid({ ...others, member: email });
  }
  const waits = mailIsSetUp ? '' : ' It waits until mail is set up.';
  return {
    notice: `An invitation to ${command.address} is in the queue.${waits}`,
    to: addressOfInvitations(place),
  };
};

const addInvitation = (pages: Pages, parts: MemberPagesParts, placed: PlaceOfMembers): void => {
  addFormPage<ManagerOfMembers>(pages, {
    path: `${placed.path}/invite`,
    find: placed.manage,
    show: (context, place, refusal) =>
      sendMemberPage(context, place, 'invite-member', {
        title: 'Invite member',
        form: typed(context, { member: '', access_level: '30', expires_at: '' }),
        roles: rolesUpTo(placed.levels, place),
        invitesByMail: parts.invitesByMail,
        ...refusal,
      }),
    act: async (context, place) => {
      const person = await findPerson(parts, field(context.request, 'member').trim().replace(/^@/, ''));
      const accessLevel = fieldNumber(context.request, 'access_level');
      const membership = { accessLevel, expiresAt: dayField(context, 'expires_at') };
      if ('address' in person) return inviteByMail(parts, context, place, { ...membership, ...person });
      await parts.members.add(place, { userId: person.id, ...membership });
      return { notice: `${person.name} is now a ${levelName(accessLevel)}.`, to: addressOfMembers(place) };
    },
  });
};

interface ManagedMember {
  readonly place: ManagerOfMembers;
  readonly member: MemberProfile;
}

const findMember = async (
  parts: MemberPagesParts,
  context: PageContext,
  place: Parameters<typeof readMembers>[2],
): Promise<MemberProfile> => {
  const userId = orNotFound(identifierIn<UserId>(String(context.request.params['id'])), 'Member');
  const { items } = await readMembers(parts, context, place, { inherited: false, userIds: [userId] });
  if (items[0] === undefined) throw new NotFound('Member');
  return items[0];
};

const addMemberForm = (pages: Pages, parts: MemberPagesParts, placed: PlaceOfMembers): void => {
  addFormPage<ManagedMember>(pages, {
    path: `${placed.path}/:id`,
    find: async (context) => {
      const place = await placed.manage(context);
      return { place, member: await findMember(parts, context, place) };
    },
    show: (context, { place, member }, refusal) =>
      sendMemberPage(context, place, 'member', {
        title: `Membership of ${member.name}`,
        member,
        form: typed(context, { access_level: String(member.accessLevel), expires_at: member.expiresAt ?? '' }),
        roles: rolesUpTo(placed.levels, place),
        ...refusal,
      }),
    act: async (context, { place, member: { userId, name } }) => {
      const accessLevel = fieldNumber(context.request, 'access_level');
      await parts.members.change(place, { userId, accessLevel, expiresAt: dayField(context, 'expires_at') });
      return { notice: `Membership of ${name} saved.`, to: addressOfMembers(place) };
    },
  });
};

/** Everybody may leave; a manager removes others. */
const addMemberRemoval = (pages: Pages, parts: MemberPagesParts, placed: PlaceOfMembers): void => {
  const isMe = ({ browser, request }: PageContext): boolean => actorOf(browser).id === pathNumber(request);
  addRemovalPage(pages, {
    path: `${placed.path}/:id/remove`,
    find: async (context) => {
      const viewer = await placed.view(context);
      if (isMe(context)) {
        const member = await findMember(parts, context, viewer);
        return { place: viewer, member, end: () => parts.members.leave(actorOf(context.browser), viewer) };
      }
      const manager = await placed.manage(context);
      const member = await findMember(parts, context, manager);
      if (member.accessLevel > manager.level) throw new Forbidden();
      return { place: manager, member, end: () => parts.members.remove(manager, member.userId) };
    },
    ask: async (context, { place, member }) => ({
      title: isMe(context) ? `Leave ${nameOf(place)}?` : `Remove ${member.name} from ${nameOf(place)}?`,
      consequences: ['What they wrote stays. What they may do through this membership ends at once.'],
      button: isMe(context) ? 'Leave' : 'Remove member',
      cancel: addressOfMembers(place),
      frame: await frameOf(context, place),
    }),
    act: async (context, { place, member, end }) => {
      await end();
      // Who left may see it no more.
      if (isMe(context)) return { notice: `You left ${nameOf(place)}.`, to: '/' };
      return { notice: `${member.name} is no longer a member.`, to: addressOfMembers(place) };
    },
  });
};
