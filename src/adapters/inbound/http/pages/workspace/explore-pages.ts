import { given } from '../../kit/given.js';
import type { Pages } from '../page.js';
import { actorFor, pageRequest, queryText } from '../page-request.js';
import { sendPage } from '../render.js';
import type { WorkspacePagesParts } from './workspace-pages-parts.js';

/** Every project, group and person that a viewer may see. */
export const addExplorePages = (pages: Pages, { users, reader, access }: WorkspacePagesParts): void => {
  pages.get('/explore/projects', 'anyone', async (context) => {
    const { browser, response } = context;
    const [request, search] = [pageRequest(context), queryText(context, 'search')];
    const viewer = access.viewer(actorFor(browser));
    const order = { orderBy: 'name', sort: 'asc', page: request } as const;
    const page = await reader.listProjects({ viewer, ...order, ...given({ search: search || undefined }) });
    sendPage(response, browser, 'projects', { title: 'Projects', projects: page.items, page, request, search });
  });

  pages.get('/explore/groups', 'anyone', async (context) => {
    const { browser, response } = context;
    const [request, search] = [pageRequest(context), queryText(context, 'search')];
    const viewer = access.viewer(actorFor(browser));
    const order = { orderBy: 'path', sort: 'asc', page: request } as const;
    const page = await reader.listGroups({ viewer, ...order, ...given({ search: search || undefined }) });
    sendPage(response, browser, 'groups', { title: 'Groups', groups: page.items, page, request, search });
  });

  pages.get('/explore/people', 'signed_in', async (context) => {
    const { browser, response } = context;
    const [request, search] = [pageRequest(context), queryText(context, 'search')];
    const order = { orderBy: 'username', sort: 'asc', page: request } as const;
    const page = await users.list({ ...order, ...given({ search: search || undefined }) });
    sendPage(response, browser, 'people', { title: 'People', people: page.items, page, request, search });
  });
};
