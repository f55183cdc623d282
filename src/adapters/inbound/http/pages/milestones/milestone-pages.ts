import type { MilestoneDetails } from '../../../../../application/planning/ports/planning-readers.js';
import { COUNT_LIMIT } from '../../../../../domain/shared/page.js';
import { orNotFound } from '../../kit/or-not-found.js';
import { milestonePath } from '../../milestone-path.js';
import { burnUp } from '../charts/burn-up.js';
import { pathNumber } from '../form-fields.js';
import type { Pages } from '../page.js';
import { actorFor, pageRequest, queryChoice } from '../page-request.js';
import { PageTexts } from '../page-texts.js';
import type { PageLocals } from '../render.js';
import { addMilestoneFormPages } from './milestone-form-pages.js';
import {
  addressOf,
  MILESTONES_TAB,
  milestonesOfGroups,
  milestonesOfProjects,
  type MilestonePagesParts,
  type MilestonePlaces,
} from './milestone-places.js';
import { addMilestonePromotionPage } from './milestone-promotion-page.js';

type Parts = MilestonePagesParts;

type Head = Pick<MilestoneDetails, 'id' | 'iid' | 'title' | 'startDate' | 'dueDate' | 'group' | 'projectPath'>;

/** What a list shows: descriptions are read in batches, and not kept. */
const headsOf = async (batches: AsyncIterable<readonly MilestoneDetails[]>) => {
  const heads: Head[] = [];
  for await (const batch of batches)
    heads.push(
      ...batch.map(({ id, iid, title, startDate, dueDate, group, projectPath }) => ({
        id,
        iid,
        title,
        startDate,
        dueDate,
        group,
        projectPath,
      })),
    );
  return heads;
};

/** The milestones of projects and of groups: what issues are planned for, and how far they are. */
export const addMilestonePages = (pages: Pages, parts: Parts): void => {
  const tab = { name: MILESTONES_TAB, label: 'Milestones', to: 'milestones', order: 40, within: 'planning' } as const;
  pages.tabs.addToProjects({ ...tab, permission: 'read_milestones' });
  pages.tabs.addToGroups({ ...tab, permission: 'read_group' });
  // Addresses of groups first: those of projects begin with anything.
  for (const places of [milestonesOfGroups(parts), milestonesOfProjects(parts)]) {
    addMilestoneFormPages(pages, places);
    addMilestoneList(pages, parts, places);
    addMilestonePage(pages, parts, places);
  }
  addMilestonePromotionPage(pages, parts);
};

const addMilestoneList = (pages: Pages, { access, planningOverview }: Parts, { path, toRead }: MilestonePlaces): void =>
  pages.get(path, 'anyone', async (context) => {
    const place = await toRead(context);
    const request = pageRequest(context);
    const state = queryChoice(context, 'state', ['active', 'closed']);
    const { batches, ...page } = await place.list({ state, page: request });
    const milestones = await headsOf(batches);
    const ids = milestones.map(({ id }) => id);
    const progress = await planningOverview.progressOf(access.viewer(actorFor(context.browser)), ids);
    await place.send('milestones', {
      title: `Milestones of ${place.name}`,
      address: addressOf(place),
      milestones: milestones.map((milestone) => ({
        ...milestone,
        of: place.isOwn(milestone) ? undefined : milestone.group?.fullPath,
        progress: progress.get(milestone.id),
      })),
      manages: place.manages,
      state,
      page,
      request,
      kept: { state },
    });
  });

/** A milestone, with as many of its issues as the reader may see. */
const addMilestonePage = (pages: Pages, parts: Parts, { path, toRead }: MilestonePlaces): void => {
  const { access, planningReader, planningOverview } = parts;
  pages.get(`${path}/:iid`, 'anyone', async (context) => {
    const place = await toRead(context);
    const milestone = orNotFound(await place.find(pathNumber(context.request, 'iid')), 'Milestone');
    // It has become one of a group since somebody wrote its address down.
    if (!place.isOwn(milestone)) {
      context.response.redirect(302, milestonePath(milestone));
      return;
    }
    const viewer = access.viewer(actorFor(context.browser));
    const paging = pageRequest(context);
    const description = new PageTexts().show(milestone.description);
    const { now } = context.response.locals as PageLocals;
    const planned = { viewer, ...place.within, milestoneId: milestone.id };
    const page = planningReader.listIssueHeads({ ...planned, orderBy: 'created_at', sort: 'desc', page: paging });
    const daily = planningOverview.dailyProgressOf(viewer, milestone.id, COUNT_LIMIT);
    await place.send('milestone', {
      title: `${milestone.title} (%${milestone.iid})`,
      milestone,
      all: addressOf(place),
      address: addressOf(place, milestone.iid),
      base: place.base,
      wide: place.wide,
      manages: place.manages,
      promotes: place.manages && place.promotes(),
      showsMergeRequests: place.showsMergeRequests,
      progress: planningOverview.progressOf(viewer, [milestone.id]).then((of) => of.get(milestone.id)),
      chart: daily.then((counts) => burnUp(milestone, counts, now)),
      description: place.render(description),
      whole: place.whole(milestone),
      issues: page.then(({ items }) => items),
      page,
      request: paging,
    });
  });
};
