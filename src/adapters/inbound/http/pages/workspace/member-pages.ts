import type { MemberProfile } from '../../../../../application/workspace/ports/workspace-readers.js';
import { ACCESS_LEVEL_NAMES, type AccessLevel } from '../../../../../domain/shared/access-level.js';
import { given } from '../../kit/given.js';
import { sendGroupPage, sendProjectPage } from '../frame/send-place-page.js';
import type { Pages } from '../page.js';
import { actorFor, pageRequest, queryText } from '../page-request.js';
import { joinedPath, projectPath } from '../project-path.js';
import type { WorkspacePagesParts } from './workspace-pages-parts.js';

const PATH = 'members';

const shownMember = (member: MemberProfile) => ({
  ...member,
  level: ACCESS_LEVEL_NAMES[member.accessLevel as AccessLevel],
});

/** Who is a member of a project or a group, those of the groups above included. */
export const addMemberPages = (pages: Pages, { reader, access }: WorkspacePagesParts): void => {
  const tab = { name: 'members', label: 'Members', to: PATH, order: 80, signedIn: true } as const;
  pages.tabs.addToProjects({ ...tab, permission: 'read_project' });
  pages.tabs.addToGroups({ ...tab, permission: 'read_group' });

  pages.get(`/groups/*path/-/${PATH}`, 'signed_in', async (context) => {
    const actor = actorFor(context.browser);
    const place = await access.group(actor, joinedPath(context.request), 'read_group');
    const [request, search] = [pageRequest(context), queryText(context, 'search')];
    const query = { viewer: access.viewer(actor), inherited: true, page: request };
    const page = await reader.groupMembers(place.group.id, { ...query, ...given({ search: search || undefined }) });
    const title = `Members of ${place.group.name}`;
    const members = page.items.map(shownMember);
    await sendGroupPage(context, place, 'members', { tab: 'members', title, members, page, request, search });
  });

  pages.get(`/*path/-/${PATH}`, 'signed_in', async (context) => {
    const actor = actorFor(context.browser);
    const place = await access.project(actor, projectPath(context.request), 'read_project');
    const [request, search] = [pageRequest(context), queryText(context, 'search')];
    const query = { viewer: access.viewer(actor), inherited: true, page: request };
    const page = await reader.projectMembers(place.project.id, { ...query, ...given({ search: search || undefined }) });
    const title = `Members of ${place.project.name}`;
    const members = page.items.map(shownMember);
    await sendProjectPage(context, place, 'members', { tab: 'members', title, members, page, request, search });
  });
};
