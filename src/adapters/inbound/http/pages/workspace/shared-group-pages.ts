import type { GroupLinks } from '../../../../../application/workspace/group-links.js';
import type { GroupLinkReader, SharedGroup } from '../../../../../application/workspace/ports/group-links.js';
import type { PermittedProject } from '../../../../../application/shared/permitted.js';
import { PROJECT_MEMBER_LEVELS } from '../../../../../domain/shared/access-level.js';
import { Invalid, NotFound } from '../../../../../domain/shared/domain-error.js';
import { orNotFound } from '../../kit/or-not-found.js';
import { field, fieldNumber, pathNumber } from '../form-fields.js';
import { addFormPage, dayField, typed } from '../frame/form-page.js';
import { addRemovalPage } from '../frame/removal-page.js';
import type { PageContext } from '../page-context.js';
import type { Pages } from '../page.js';
import { actorFor } from '../page-request.js';
import { projectOfPage } from '../project-of-page.js';
import {
  addressOfMembers,
  frameOf,
  levelName,
  mayManage,
  rolesUpTo,
  sendMemberPage,
  type Place,
} from './place-of-members.js';
import type { WorkspacePagesParts } from './workspace-pages-parts.js';

export type SharedGroupPagesParts = WorkspacePagesParts & {
  readonly groupLinks: GroupLinks;
  readonly groupLinkReader: GroupLinkReader;
};

type Manager = PermittedProject<'manage_project_members'>;

const MEMBERS = '/*path/-/members';

/** What a group is called whose name isn't for the viewer. */
const nameOfGroup = ({ group }: SharedGroup): string => group?.name ?? 'a group that you can’t see';

const managerOf =
  ({ access }: SharedGroupPagesParts) =>
  (context: PageContext): Promise<Manager> =>
    projectOfPage(access, context, 'manage_project_members');

/** The groups that a project is shared with, as the page of its members shows them: those without a name to whoever may remove them. */
export const sharedGroupsOf = async (
  { access, groupLinkReader }: SharedGroupPagesParts,
  { browser }: PageContext,
  place: Place,
) => {
  if (!('project' in place)) return [];
  const links = await groupLinkReader.linksOf(access.viewer(actorFor(browser)), place.project.id);
  return links
    .filter(({ group }) => group !== undefined || mayManage(place))
    .map((link) => ({ ...link, name: nameOfGroup(link), level: levelName(link.accessLevel) }));
};

/** Sharing a project with groups, and ending that. */
export const addSharedGroupPages = (pages: Pages, parts: SharedGroupPagesParts): void => {
  addSharing(pages, parts);
  addEndOfSharing(pages, parts);
};

const addSharing = (pages: Pages, parts: SharedGroupPagesParts): void => {
  addFormPage<Manager>(pages, {
    path: `${MEMBERS}/share`,
    find: managerOf(parts),
    show: (context, place, refusal) =>
      sendMemberPage(context, place, 'share-project', {
        title: 'Share with a group',
        form: typed(context, { group: '', group_access: '30', expires_at: '' }),
        roles: rolesUpTo(PROJECT_MEMBER_LEVELS, place),
        ...refusal,
      }),
    act: async (context, place) => {
      const path = field(context.request, 'group').trim();
      const group = await parts.access.group(actorFor(context.browser), path, 'read_group').catch(notFound);
      const accessLevel = fieldNumber(context.request, 'group_access');
      await parts.groupLinks.share(place, group, { accessLevel, expiresAt: dayField(context, 'expires_at') });
      return { notice: `The project is now shared with ${group.group.name}.`, to: addressOfMembers(place) };
    },
  });
};

const notFound = (error: unknown): never => {
  throw error instanceof NotFound ? new Invalid({ group: ['is not the path of a group that you can see'] }) : error;
};

const addEndOfSharing = (pages: Pages, parts: SharedGroupPagesParts): void => {
  addRemovalPage<{ readonly place: Manager; readonly link: SharedGroup }>(pages, {
    path: `${MEMBERS}/groups/:id/remove`,
    find: async (context) => {
      const place = await managerOf(parts)(context);
      const links = await parts.groupLinkReader.linksOf(
        parts.access.viewer(actorFor(context.browser)),
        place.project.id,
      );
      const id = pathNumber(context.request);
      const link = links.find(({ groupId }) => groupId === id);
      return { place, link: orNotFound(link, 'Group Link') };
    },
    ask: async (context, { place, link }) => ({
      title: `Stop sharing ${place.project.name} with ${nameOfGroup(link)}?`,
      consequences: ['What its members wrote stays. What they may do through the group ends at once.'],
      button: 'Remove group',
      cancel: addressOfMembers(place),
      frame: await frameOf(context, place),
    }),
    act: async (_, { place, link }) => {
      await parts.groupLinks.unshare(place, link.groupId);
      return {
        notice: `The project is no longer shared with ${nameOfGroup(link)}.`,
        to: addressOfMembers(place),
      };
    },
  });
};
