import { GROUP_PERMISSIONS } from '../../../../../domain/workspace/workspace-policy.js';
import { sendGroupPage } from '../frame/send-place-page.js';
import type { Pages } from '../page.js';
import { actorFor, pageRequest } from '../page-request.js';
import { joinedPath } from '../project-path.js';
import { askingAt, type AccessRequestPagesParts } from './access-request-forms.js';

const SUBGROUPS = { page: 1, perPage: 100 };

/** A group: its subgroups and projects. */
export const addGroupPage = (pages: Pages, parts: AccessRequestPagesParts): void => {
  const { reader, access } = parts;
  pages.tabs.addToGroups({ name: 'overview', label: 'Overview', to: '', permission: 'read_group', order: 0 });

  pages.get('/groups/*path', 'anyone', async (context) => {
    const { browser, request } = context;
    const actor = actorFor(browser);
    const place = await access.group(actor, joinedPath(request), 'read_group');
    const { group, level } = place;
    const viewer = access.viewer(actor);
    const paging = pageRequest(context);
    const byName = { orderBy: 'name', sort: 'asc' } as const;
    const [projects, groups, asking] = await Promise.all([
      reader.listProjects({
        viewer,
        within: { namespaceId: group.id, includeSubgroups: false },
        ...byName,
        page: paging,
      }),
      reader.listGroups({ viewer, parentId: group.id, ...byName, page: SUBGROUPS }),
      askingAt(parts, context, place),
    ]);
    const may = (permission: keyof typeof GROUP_PERMISSIONS) =>
      browser.user !== undefined && level >= GROUP_PERMISSIONS[permission];
    await sendGroupPage(context, place, 'group', {
      tab: 'overview',
      title: group.fullName,
      projects: projects.items,
      page: projects,
      request: paging,
      groups: groups.items,
      asking,
      mayCreateProjects: may('create_projects'),
      mayCreateSubgroups: may('create_subgroups'),
    });
  });
};
