import type { Stars } from '../../../../../application/workspace/stars.js';
import { field } from '../form-fields.js';
import { tell } from '../frame/notice.js';
import type { Pages } from '../page.js';
import { actorOf } from '../page-session.js';
import { projectOfPage } from '../project-of-page.js';
import type { WorkspacePagesParts } from './workspace-pages-parts.js';

type Parts = Pick<WorkspacePagesParts, 'access'> & { readonly stars: Stars };

const STAR = '/*path/-/star';

/** Stars a project, or takes the star back, by the button on its page. */
export const addStarForm = (pages: Pages, { access, stars }: Parts): void => {
  pages.post(STAR, 'signed_in', async (context) => {
    const place = await projectOfPage(access, context, 'read_project');
    const wanted = field(context.request, 'starred') === 'true';
    await stars[wanted ? 'star' : 'unstar'](actorOf(context.browser), place);
    const { name, fullPath } = place.project;
    tell(context.response, context.browser, wanted ? `You starred ${name}.` : `You took your star from ${name}.`);
    context.response.redirect(303, `/${fullPath}`);
  });

  // Somebody who signs in again, or reloads what the form led to, comes this way.
  pages.get(STAR, 'anyone', async (context) => {
    const { project } = await projectOfPage(access, context, 'read_project');
    context.response.redirect(303, `/${project.fullPath}`);
  });
};
