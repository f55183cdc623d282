import type { MilestoneReader, PlanningReader } from '../../../../application/planning/ports/planning-readers.js';
import type { WorkspaceAccess } from '../../../../application/workspace/workspace-access.js';
import { NotFound } from '../../../../domain/shared/domain-error.js';
import type { WebUrls } from '../web-urls.js';
import type { Pages } from './page.js';
import { PageTexts } from './page-texts.js';
import { projectPath } from './project-path.js';
import { sendPage } from './render.js';
import { actorFor, pageRequest } from './workspace-pages.js';

export interface MilestonePagesParts {
  readonly access: WorkspaceAccess;
  readonly milestoneReader: MilestoneReader;
  readonly planningReader: PlanningReader;
  readonly urls: WebUrls;
}

/** The plain page of a milestone, with as many of its issues as the reader may see. */
export const addMilestonePages = (pages: Pages, parts: MilestonePagesParts): void => {
  const { access, milestoneReader, planningReader, urls } = parts;

  pages.get('/*path/-/milestones/:iid', 'anyone', async (context) => {
    const { browser, request, response } = context;
    const actor = actorFor(browser);
    const { project } = await access.project(actor, projectPath(request), 'read_project');
    const iid = String(request.params['iid']);
    const milestone = /^\d{1,15}$/.test(iid) ? await milestoneReader.find(project.id, { iid: Number(iid) }) : undefined;
    if (milestone === undefined) throw new NotFound('Milestone');
    const paging = pageRequest(context);
    const page = await planningReader.listIssueHeads({
      viewer: access.viewer(actor),
      projectId: project.id,
      milestoneId: milestone.id,
      orderBy: 'created_at',
      sort: 'desc',
      page: paging,
    });
    sendPage(response, browser, 'milestone', {
      title: `${milestone.title} (%${milestone.iid})`,
      project,
      milestone,
      description: new PageTexts().show(milestone.description),
      whole: urls.api(`/projects/${project.id}/milestones/${milestone.id}`),
      issues: page.items,
      page,
      request: paging,
    });
  });
};
