import type { MilestoneDetails } from '../../../../../application/planning/ports/planning-readers.js';
import type { Permitted } from '../../../../../application/shared/permitted.js';
import { orNotFound } from '../../kit/or-not-found.js';
import { pathNumber } from '../form-fields.js';
import { addRemovalPage } from '../frame/removal-page.js';
import type { Pages } from '../page.js';
import { projectOfPage } from '../project-of-page.js';
import { groupAbove, MILESTONES_TAB, type MilestonePagesParts } from './milestone-places.js';

interface Promotion {
  readonly holder: Permitted<'manage_milestones'>;
  readonly manager: Permitted<'manage_group_milestones'>;
  readonly milestone: MilestoneDetails;
}

/** Asks before a milestone of a project becomes one of its group: that can't be taken back. */
export const addMilestonePromotionPage = (
  pages: Pages,
  { access, milestoneReader, groupMilestones }: MilestonePagesParts,
): void =>
  addRemovalPage<Promotion>(pages, {
    path: '/*path/-/milestones/:iid/promote',
    find: async (context) => {
      const holder = await projectOfPage(access, context, 'manage_milestones');
      const iid = pathNumber(context.request, 'iid');
      const milestone = await milestoneReader.find(holder.project.id, { iid });
      const own = orNotFound(milestone?.group === null ? milestone : undefined, 'Milestone');
      return { holder, manager: await groupAbove(access, context, holder.project), milestone: own };
    },
    ask: async ({ browser, places }, { holder, manager: { group }, milestone }) => ({
      title: `Make ${milestone.title} a milestone of the group ${group.name}?`,
      consequences: [
        `Issues and merge requests of all projects in ${group.name}, and in the groups below it, can be planned for it.`,
        'Their own milestones of that title become this one, with its description and days; what is planned for them stays planned.',
        'It is changed and removed on the page of the group from then on.',
      ],
      button: 'Promote milestone',
      cancel: `/${holder.project.fullPath}/-/milestones/${milestone.iid}`,
      frame: await places.ofProject(browser, holder, MILESTONES_TAB),
    }),
    act: async (_context, { holder, manager, milestone }) => {
      await groupMilestones.promote(holder, manager, milestone.id);
      return {
        notice: `Milestone “${milestone.title}” is one of the group ${manager.group.name} now.`,
        to: `/${holder.project.fullPath}/-/milestones`,
      };
    },
  });
