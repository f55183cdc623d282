import { sendProjectPage } from '../frame/send-place-page.js';
import type { Pages } from '../page.js';
import { actorFor } from '../page-request.js';
import { joinedPath } from '../project-path.js';
import type { WorkspacePagesParts } from './workspace-pages-parts.js';

/** A project, with its files. */
export const addProjectPage = (pages: Pages, { access, codeOverview }: WorkspacePagesParts): void => {
  pages.tabs.addToProjects({ name: 'overview', label: 'Overview', to: '', permission: 'read_project', order: 0 });

  pages.get('/*path', 'anyone', async (context) => {
    const actor = actorFor(context.browser);
    const path = joinedPath(context.request);
    // A number would be an id, and an address is a path.
    const place = await access.project(actor, path.includes('/') ? path : '', 'read_project');
    const overview = await codeOverview.show(actor, path);
    await sendProjectPage(context, place, 'project', {
      tab: 'overview',
      title: place.project.name,
      overview,
    });
  });
};
