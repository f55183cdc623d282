import type {
  MilestoneDetails,
  MilestoneReader,
  PlanningReader,
} from '../../../../application/planning/ports/planning-readers.js';
import type { WorkspaceAccess } from '../../../../application/workspace/workspace-access.js';
import { NotFound } from '../../../../domain/shared/domain-error.js';
import type { WebUrls } from '../web-urls.js';
import type { Pages } from './page.js';
import { PageTexts } from './page-texts.js';
import { projectPath } from './project-path.js';
import { sendProjectPage } from './frame/send-place-page.js';
import { actorFor, pageRequest, queryChoice } from './page-request.js';

export interface MilestonePagesParts {
  readonly access: WorkspaceAccess;
  readonly milestoneReader: MilestoneReader;
  readonly planningReader: PlanningReader;
  readonly urls: WebUrls;
}

/** What a list shows: descriptions are read in batches, and not kept. */
const headsOf = async (batches: AsyncIterable<readonly MilestoneDetails[]>) => {
  const heads: Pick<MilestoneDetails, 'id' | 'iid' | 'title' | 'startDate' | 'dueDate'>[] = [];
  for await (const batch of batches)
    heads.push(...batch.map(({ id, iid, title, startDate, dueDate }) => ({ id, iid, title, startDate, dueDate })));
  return heads;
};

/** The plain page of a milestone, with as many of its issues as the reader may see. */
export const addMilestonePages = (pages: Pages, parts: MilestonePagesParts): void => {
  const { access, milestoneReader, planningReader, urls } = parts;
  const tab = { name: 'milestones', label: 'Milestones', to: 'milestones', permission: 'read_project' } as const;
  pages.tabs.addToProjects({ ...tab, order: 40 });

  pages.get('/*path/-/milestones', 'anyone', async (context) => {
    const place = await access.project(actorFor(context.browser), projectPath(context.request), 'read_project');
    const { project } = place;
    const paging = pageRequest(context);
    const state = queryChoice(context, 'state', ['active', 'closed']);
    const { batches, ...page } = await milestoneReader.list({ projectId: project.id, state, page: paging });
    await sendProjectPage(context, place, 'milestones', {
      tab: 'milestones',
      title: `Milestones of ${project.name}`,
      milestones: await headsOf(batches),
      state,
      page,
      request: paging,
      kept: { state },
    });
  });

  pages.get('/*path/-/milestones/:iid', 'anyone', async (context) => {
    const { browser, request } = context;
    const actor = actorFor(browser);
    const place = await access.project(actor, projectPath(request), 'read_project');
    const { project } = place;
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
    await sendProjectPage(context, place, 'milestone', {
      tab: 'milestones',
      title: `${milestone.title} (%${milestone.iid})`,
      milestone,
      description: new PageTexts().show(milestone.description),
      whole: urls.api(`/projects/${project.id}/milestones/${milestone.id}`),
      issues: page.items,
      page,
      request: paging,
    });
  });
};
