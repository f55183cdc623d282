import type { Milestones } from '../../../../application/planning/milestones.js';
import type { MilestoneDetails, MilestoneReader } from '../../../../application/planning/ports/planning-readers.js';
import type { PermittedProject } from '../../../../application/shared/permitted.js';
import type { WorkspaceAccess } from '../../../../application/workspace/workspace-access.js';
import { orNotFound } from '../kit/or-not-found.js';
import { field, pathNumber } from './form-fields.js';
import { addFormPage, dayField, textField, typed, type Refusal } from './frame/form-page.js';
import { tell } from './frame/notice.js';
import { addRemovalPage } from './frame/removal-page.js';
import { refuseOvertaken, seenIn } from './frame/seen-values.js';
import { sendProjectPage } from './frame/send-place-page.js';
import type { PageContext } from './page-context.js';
import type { Pages } from './page.js';
import { actorOf } from './page-session.js';
import { projectOfPage } from './project-of-page.js';

interface Parts {
  readonly access: WorkspaceAccess;
  readonly milestones: Milestones;
  readonly milestoneReader: MilestoneReader;
}

type Manager = PermittedProject<'manage_milestones'>;

interface Managed {
  readonly place: Manager;
  readonly milestone: MilestoneDetails;
}

const MILESTONES = '/*path/-/milestones';
const MILESTONE = `${MILESTONES}/:iid`;

const addressOf = ({ project }: Manager, iid?: number): string =>
  `/${project.fullPath}/-/milestones${iid === undefined ? '' : `/${iid}`}`;

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
  place: Manager,
  milestone: MilestoneDetails | undefined,
  refusal: Refusal,
): Promise<void> =>
  sendProjectPage(context, place, 'milestone-form', {
    tab: 'milestones',
    title: milestone === undefined ? 'New milestone' : 'Edit milestone',
    button: milestone === undefined ? 'Create milestone' : 'Save changes',
    cancel: addressOf(place, milestone?.iid),
    form: typed(context, valuesOf(milestone)),
    ...(milestone !== undefined && { seen: seenIn(context, valuesOf(milestone)) }),
    ...refusal,
  });

/** Creating, editing, closing and removing milestones. */
export const addMilestoneFormPages = (pages: Pages, parts: Parts): void => {
  const manage = (context: PageContext): Promise<Manager> => projectOfPage(parts.access, context, 'manage_milestones');
  const find = async (context: PageContext): Promise<Managed> => {
    const place = await manage(context);
    const iid = pathNumber(context.request, 'iid');
    return { place, milestone: orNotFound(await parts.milestoneReader.find(place.project.id, { iid }), 'Milestone') };
  };

  addFormPage<Manager>(pages, {
    path: `${MILESTONES}/new`,
    large: true,
    find: manage,
    show: (context, place, refusal) => showForm(context, place, undefined, refusal),
    act: async (context, place) => {
      const id = await parts.milestones.create(actorOf(context.browser), place, fieldsIn(context));
      const milestone = orNotFound(await parts.milestoneReader.find(place.project.id, { id }), 'Milestone');
      return { notice: `Milestone “${milestone.title}” created.`, to: addressOf(place, milestone.iid) };
    },
  });
  addFormPage<Managed>(pages, {
    path: `${MILESTONE}/edit`,
    large: true,
    find,
    show: (context, { place, milestone }, refusal) => showForm(context, place, milestone, refusal),
    act: async (context, { place, milestone }) => {
      const fields = fieldsIn(context);
      refuseOvertaken(context, valuesOf(milestone));
      await parts.milestones.edit(actorOf(context.browser), place, milestone.id, fields);
      return { notice: `Milestone “${fields.title}” saved.`, to: addressOf(place, milestone.iid) };
    },
  });
  addMilestoneState(pages, parts, find);
  addRemovalPage<Managed>(pages, {
    path: `${MILESTONE}/remove`,
    find,
    ask: async ({ browser, places }, { place, milestone }) => ({
      title: `Remove the milestone ${milestone.title}?`,
      consequences: ['Its issues stay, and are planned for nothing.'],
      button: 'Remove milestone',
      cancel: addressOf(place, milestone.iid),
      frame: await places.ofProject(browser, place, 'milestones'),
    }),
    act: async ({ browser }, { place, milestone }) => {
      await parts.milestones.remove(actorOf(browser), place, milestone.id);
      return { notice: `Milestone “${milestone.title}” removed.`, to: addressOf(place) };
    },
  });
};

const addMilestoneState = (
  pages: Pages,
  { milestones }: Parts,
  find: (context: PageContext) => Promise<Managed>,
): void => {
  pages.post(`${MILESTONE}/state`, 'signed_in', async (context) => {
    const { browser, request, response } = context;
    const { place, milestone } = await find(context);
    const stateEvent = field(request, 'state_event') === 'close' ? 'close' : 'activate';
    await milestones.edit(actorOf(browser), place, milestone.id, { stateEvent });
    tell(response, browser, `Milestone “${milestone.title}” ${stateEvent === 'close' ? 'closed' : 'reopened'}.`);
    response.redirect(303, addressOf(place, milestone.iid));
  });
  // Somebody who signs in again comes this way.
  pages.get(`${MILESTONE}/state`, 'signed_in', async (context) => {
    const { place, milestone } = await find(context);
    context.response.redirect(303, addressOf(place, milestone.iid));
  });
};
