import type { Milestones } from '../../../../application/planning/milestones.js';
import type { PlanningOverview } from '../../../../application/planning/ports/planning-overview.js';
import type {
  MilestoneDetails,
  MilestoneReader,
  PlanningReader,
} from '../../../../application/planning/ports/planning-readers.js';
import type { PermittedProject } from '../../../../application/shared/permitted.js';
import type { WorkspaceAccess } from '../../../../application/workspace/workspace-access.js';
import { COUNT_LIMIT } from '../../../../domain/shared/page.js';
import { isOffered } from '../../../../domain/workspace/workspace-policy.js';
import { orNotFound } from '../kit/or-not-found.js';
import type { WebUrls } from '../web-urls.js';
import { burnUp } from './charts/burn-up.js';
import { pathNumber } from './form-fields.js';
import { sendProjectPage } from './frame/send-place-page.js';
import { addMilestoneFormPages } from './milestone-form-pages.js';
import type { PageContext } from './page-context.js';
import type { Pages } from './page.js';
import { actorFor, pageRequest, queryChoice } from './page-request.js';
import { PageTexts } from './page-texts.js';
import type { ProjectMarkdown } from './project-markdown.js';
import { projectPath } from './project-path.js';
import type { PageLocals } from './render.js';

export interface MilestonePagesParts {
  readonly access: WorkspaceAccess;
  readonly milestones: Milestones;
  readonly milestoneReader: MilestoneReader;
  readonly planningReader: PlanningReader;
  readonly planningOverview: PlanningOverview;
  readonly markdown: ProjectMarkdown;
  readonly urls: WebUrls;
}

const MILESTONES = '/*path/-/milestones';

const mayManage = ({ browser }: PageContext, { project, level }: PermittedProject<'read_project'>): boolean =>
  browser.user !== undefined && isOffered(project, level, 'manage_milestones');

/** What a list shows: descriptions are read in batches, and not kept. */
const headsOf = async (batches: AsyncIterable<readonly MilestoneDetails[]>) => {
  const heads: Pick<MilestoneDetails, 'id' | 'iid' | 'title' | 'startDate' | 'dueDate'>[] = [];
  for await (const batch of batches)
    heads.push(...batch.map(({ id, iid, title, startDate, dueDate }) => ({ id, iid, title, startDate, dueDate })));
  return heads;
};

/** The milestones of a project: what its issues are planned for, and how far they are. */
export const addMilestonePages = (pages: Pages, parts: MilestonePagesParts): void => {
  pages.tabs.addToProjects({
    name: 'milestones',
    label: 'Milestones',
    to: 'milestones',
    permission: 'read_project',
    order: 40,
    within: 'planning',
  });
  addMilestoneFormPages(pages, parts);
  addMilestoneList(pages, parts);
  addMilestonePage(pages, parts);
};

const addMilestoneList = (pages: Pages, parts: MilestonePagesParts): void => {
  const { access, milestoneReader, planningOverview } = parts;
  pages.get(MILESTONES, 'anyone', async (context) => {
    const actor = actorFor(context.browser);
    const place = await access.project(actor, projectPath(context.request), 'read_project');
    const { project } = place;
    const request = pageRequest(context);
    const state = queryChoice(context, 'state', ['active', 'closed']);
    const { batches, ...page } = await milestoneReader.list({ projectId: project.id, state, page: request });
    const milestones = await headsOf(batches);
    const ids = milestones.map(({ id }) => id);
    const progress = await planningOverview.progressOf(access.viewer(actor), ids);
    await sendProjectPage(context, place, 'milestones', {
      tab: 'milestones',
      title: `Milestones of ${project.name}`,
      address: `/${project.fullPath}/-/milestones`,
      milestones: milestones.map((milestone) => ({ ...milestone, progress: progress.get(milestone.id) })),
      manages: mayManage(context, place),
      state,
      page,
      request,
      kept: { state },
    });
  });
};

/** A milestone, with as many of its issues as the reader may see. */
const addMilestonePage = (pages: Pages, parts: MilestonePagesParts): void => {
  const { access, milestoneReader, planningReader, planningOverview, markdown, urls } = parts;
  pages.get(`${MILESTONES}/:iid`, 'anyone', async (context) => {
    const { browser, request } = context;
    const actor = actorFor(browser);
    const place = await access.project(actor, projectPath(request), 'read_project');
    const { project } = place;
    const iid = pathNumber(request, 'iid');
    const milestone = orNotFound(await milestoneReader.find(project.id, { iid }), 'Milestone');
    const viewer = access.viewer(actor);
    const paging = pageRequest(context);
    const description = new PageTexts().show(milestone.description);
    const { now } = context.response.locals as PageLocals;
    const page = planningReader.listIssueHeads({
      viewer,
      projectId: project.id,
      milestoneId: milestone.id,
      orderBy: 'created_at',
      sort: 'desc',
      page: paging,
    });
    const daily = planningOverview.dailyProgressOf(viewer, milestone.id, COUNT_LIMIT);
    await sendProjectPage(context, place, 'milestone', {
      tab: 'milestones',
      title: `${milestone.title} (%${milestone.iid})`,
      milestone,
      address: `/${project.fullPath}/-/milestones/${milestone.iid}`,
      manages: mayManage(context, place),
      showsMergeRequests: isOffered(project, place.level, 'read_merge_requests'),
      progress: planningOverview.progressOf(viewer, [milestone.id]).then((of) => of.get(milestone.id)),
      chart: daily.then((counts) => burnUp(milestone, counts, now)),
      description: markdown.render(description, browser, place),
      whole: urls.api(`/projects/${project.id}/milestones/${milestone.id}`),
      issues: page.then(({ items }) => items),
      page,
      request: paging,
    });
  });
};
