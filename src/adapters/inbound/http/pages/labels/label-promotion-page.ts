import type { Permitted } from '../../../../../application/shared/permitted.js';
import type { Label } from '../../../../../domain/planning/label.js';
import { orNotFound } from '../../kit/or-not-found.js';
import { addRemovalPage } from '../frame/removal-page.js';
import type { Pages } from '../page.js';
import { projectOfPage } from '../project-of-page.js';
import { groupAbove, LABELS_TAB, type LabelPagesParts } from './label-places.js';

interface Promotion {
  readonly holder: Permitted<'manage_labels'>;
  readonly manager: Permitted<'manage_group_labels'>;
  readonly label: Label;
}

/** Asks before a label of a project becomes one of its group: that can't be taken back. */
export const addLabelPromotionPage = (pages: Pages, { access, planningReader, groupLabels }: LabelPagesParts): void =>
  addRemovalPage<Promotion>(pages, {
    path: '/*path/-/labels/:id/promote',
    find: async (context) => {
      const holder = await projectOfPage(access, context, 'manage_labels');
      const { params } = context.request;
      const id = String(params['id'] ?? '');
      const label = /^\d+$/.test(id) ? await planningReader.findLabel(holder.project.id, id) : undefined;
      const own = orNotFound(label?.group === null ? label : undefined, 'Label');
      return { holder, manager: await groupAbove(access, context, holder.project), label: own };
    },
    ask: async ({ browser, places }, { holder, manager: { group }, label }) => ({
      title: `Make ${label.name} a label of the group ${group.name}?`,
      consequences: [
        `All projects in ${group.name}, and in the groups below it, can use it.`,
        'Their own labels of that name become this one; what has them has it, and stays.',
        'It is changed and removed on the page of the group from then on.',
      ],
      button: 'Promote label',
      cancel: `/${holder.project.fullPath}/-/labels`,
      frame: await places.ofProject(browser, holder, LABELS_TAB),
    }),
    act: async (_context, { holder, manager, label }) => {
      await groupLabels.promote(holder, manager, label);
      return {
        notice: `Label “${label.name}” is one of the group ${manager.group.name} now.`,
        to: `/${holder.project.fullPath}/-/labels`,
      };
    },
  });
