import type { MilestoneDetails } from '../../../../../application/planning/ports/planning-readers.js';
import { orNotFound } from '../../kit/or-not-found.js';
import { field, pathNumber } from '../form-fields.js';
import { addFormPage, dayField, textField, typed, type Refusal } from '../frame/form-page.js';
import { tell } from '../frame/notice.js';
import { addRemovalPage } from '../frame/removal-page.js';
import { refuseOvertaken, seenIn } from '../frame/seen-values.js';
import type { PageContext } from '../page-context.js';
import type { Pages } from '../page.js';
import { actorOf } from '../page-session.js';
import { addressOf, type ManagedMilestonePlace, type MilestonePlaces } from './milestone-places.js';

interface Managed {
  readonly place: ManagedMilestonePlace;
  readonly milestone: MilestoneDetails;
}

const fieldsIn = (context: PageContext) => ({
  title: field(context.request, 'title').trim(),
  description: textField(context, 'description'),
  startDate: dayField(context, 'start_date'),
  dueDate: dayField(context, 'due_date'),
});

const valuesOf = (milestone: MilestoneDetails | undefined) => ({
  title: milestone?.title ?? '',
  description: milestone?.description ?? '',
  start_date: milestone?.startDate ?? '',
  due_date: milestone?.dueDate ?? '',
});

const showForm = (
  context: PageContext,
  place: ManagedMilestonePlace,
  milestone: MilestoneDetails | undefined,
  refusal: Refusal,
): Promise<void> =>
  place.send('milestone-form', {
    title: milestone === undefined ? 'New milestone' : 'Edit milestone',
    button: milestone === undefined ? 'Create milestone' : 'Save changes',
    cancel: addressOf(place, milestone?.iid),
    wide: place.wide,
    form: typed(context, valuesOf(milestone)),
    ...(milestone !== undefined && { seen: seenIn(context, valuesOf(milestone)) }),
    ...refusal,
  });

/** Creating, editing, closing and removing milestones: those of groups above are managed there. */
export const addMilestoneFormPages = (pages: Pages, { path, toManage }: MilestonePlaces): void => {
  const find = async (context: PageContext): Promise<Managed> => {
    const place = await toManage(context);
    const milestone = await place.find(pathNumber(context.request, 'iid'));
    return { place, milestone: orNotFound(milestone && place.isOwn(milestone) ? milestone : undefined, 'Milestone') };
  };

  addFormPage<ManagedMilestonePlace>(pages, {
    path: `${path}/new`,
    large: true,
    find: toManage,
    show: (context, place, refusal) => showForm(context, place, undefined, refusal),
    act: async (context, place) => {
      const fields = fieldsIn(context);
      const iid = await place.create(actorOf(context.browser), fields);
      return { notice: `Milestone “${fields.title}” created.`, to: addressOf(place, iid) };
    },
  });
  addFormPage<Managed>(pages, {
    path: `${path}/:iid/edit`,
    large: true,
    find,
    show: (context, { place, milestone }, refusal) => showForm(context, place, milestone, refusal),
    act: async (context, { place, milestone }) => {
      const fields = fieldsIn(context);
      refuseOvertaken(context, valuesOf(milestone));
      await place.edit(actorOf(context.browser), milestone, fields);
      return { notice: `Milestone “${fields.title}” saved.`, to: addressOf(place, milestone.iid) };
    },
  });
  addMilestoneState(pages, `${path}/:iid/state`, find);
  addRemovalPage<Managed>(pages, {
    path: `${path}/:iid/remove`,
    find,
    ask: async (_context, { place, milestone }) => ({
      title: `Remove the milestone ${milestone.title}?`,
      consequences: [place.losing],
      button: 'Remove milestone',
      cancel: addressOf(place, milestone.iid),
      frame: await place.frame(),
    }),
    act: async ({ browser }, { place, milestone }) => {
      await place.remove(actorOf(browser), milestone);
      return { notice: `Milestone “${milestone.title}” removed.`, to: addressOf(place) };
    },
  });
};

const addMilestoneState = (pages: Pages, path: string, find: (context: PageContext) => Promise<Managed>): void => {
  pages.post(path, 'signed_in', async (context) => {
    const { browser, request, response } = context;
    const { place, milestone } = await find(context);
    const stateEvent = field(request, 'state_event') === 'close' ? 'close' : 'activate';
    await place.edit(actorOf(browser), milestone, { stateEvent });
    tell(response, browser, `Milestone “${milestone.title}” ${stateEvent === 'close' ? 'closed' : 'reopened'}.`);
    response.redirect(303, addressOf(place, milestone.iid));
  });
  // Somebody who signs in again comes this way.
  pages.get(path, 'signed_in', async (context) => {
    const { place, milestone } = await find(context);
    context.response.redirect(303, addressOf(place, milestone.iid));
  });
};
