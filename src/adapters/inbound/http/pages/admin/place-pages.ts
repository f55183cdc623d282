import type { WorkspaceReader } from '../../../../../application/workspace/ports/workspace-readers.js';
import type { WorkspaceAccess } from '../../../../../application/workspace/workspace-access.js';
import { given } from '../../kit/given.js';
import type { Pages } from '../page.js';
import { actorOf } from '../page-session.js';
import { sendPage } from '../render.js';
import { pageRequest, queryText } from '../page-request.js';

export interface AdminPlacePagesParts {
  readonly reader: WorkspaceReader;
  readonly access: WorkspaceAccess;
}

/** Every group and project there is. What is done to them is done on their own pages. */
export const addAdminPlacePages = (pages: Pages, { reader, access }: AdminPlacePagesParts): void => {
  pages.get('/admin/groups', 'administrator', async (context) => {
    const [request, search] = [pageRequest(context), queryText(context, 'search')];
    const viewer = access.viewer(actorOf(context.browser));
    const page = await reader.listGroups({
      viewer,
      orderBy: 'path',
      sort: 'asc',
      page: request,
      ...given({ search: search || undefined }),
    });
    sendPage(context.response, context.browser, 'admin/groups', { title: 'Groups', page, request, search });
  });

  pages.get('/admin/projects', 'administrator', async (context) => {
    const [request, search] = [pageRequest(context), queryText(context, 'search')];
    const viewer = access.viewer(actorOf(context.browser));
    const page = await reader.listProjects({
      viewer,
      orderBy: 'last_activity_at',
      sort: 'desc',
      page: request,
      ...given({ search: search || undefined }),
    });
    sendPage(context.response, context.browser, 'admin/projects', { title: 'Projects', page, request, search });
  });
};
