import type { PlanningReader } from '../../../../application/planning/ports/planning-readers.js';
import type { WorkspaceAccess } from '../../../../application/workspace/workspace-access.js';
import { sendProjectPage } from './frame/send-place-page.js';
import type { Pages } from './page.js';
import { actorFor, pageRequest } from './page-request.js';
import { projectPath } from './project-path.js';

export interface LabelPagesParts {
  readonly access: WorkspaceAccess;
  readonly planningReader: PlanningReader;
}

/** The labels of a project. */
export const addLabelPages = (pages: Pages, { access, planningReader }: LabelPagesParts): void => {
  pages.tabs.addToProjects({ name: 'labels', label: 'Labels', to: 'labels', permission: 'read_project', order: 50 });

  pages.get('/*path/-/labels', 'anyone', async (context) => {
    const place = await access.project(actorFor(context.browser), projectPath(context.request), 'read_project');
    const request = pageRequest(context);
    const page = await planningReader.listLabels(place.project.id, request);
    const title = `Labels of ${place.project.name}`;
    await sendProjectPage(context, place, 'labels', { tab: 'labels', title, labels: page.items, page, request });
  });
};
