import type { LabelSubscriptions } from '../../../../application/planning/label-subscriptions.js';
import type { Labels } from '../../../../application/planning/labels.js';
import type { PlanningReader } from '../../../../application/planning/ports/planning-readers.js';
import type { PermittedProject } from '../../../../application/shared/permitted.js';
import type { WorkspaceAccess } from '../../../../application/workspace/workspace-access.js';
import { userIdOf } from '../../../../application/shared/actor.js';
import { DEFAULT_LABEL_COLOR, type Label } from '../../../../domain/planning/label.js';
import { Invalid } from '../../../../domain/shared/domain-error.js';
import { isOffered } from '../../../../domain/workspace/workspace-policy.js';
import { orNotFound } from '../kit/or-not-found.js';
import { field } from './form-fields.js';
import { addFormPage, typed } from './frame/form-page.js';
import { tell } from './frame/notice.js';
import { addRemovalPage } from './frame/removal-page.js';
import { sendProjectPage } from './frame/send-place-page.js';
import type { PageContext } from './page-context.js';
import type { Pages } from './page.js';
import { actorFor, pageRequest } from './page-request.js';
import { actorOf } from './page-session.js';
import { projectPath } from './project-path.js';
import { projectOfPage } from './project-of-page.js';

export interface LabelPagesParts {
  readonly access: WorkspaceAccess;
  readonly planningReader: PlanningReader;
  readonly labels: Labels;
  readonly labelSubscriptions: LabelSubscriptions;
}

type Manager = PermittedProject<'manage_labels'>;

const LABELS = '/*path/-/labels';

const addressOf = ({ project }: Pick<Manager, 'project'>): string => `/${project.fullPath}/-/labels`;

/** What the form says. @throws Invalid for a comma, in words that say more than those that clients of the API know. */
const labelIn = ({ request }: PageContext) => {
  const name = field(request, 'title').trim();
  if (name.includes(',')) throw new Invalid({ title: ["can't have a comma: lists of labels are written with commas"] });
  return { name, color: field(request, 'color').trim(), description: field(request, 'description').trim() };
};

/** The labels of a project. */
export const addLabelPages = (pages: Pages, parts: LabelPagesParts): void => {
  const { access, planningReader } = parts;
  const tab = { name: 'labels', label: 'Labels', to: 'labels', order: 50, within: 'planning' } as const;
  pages.tabs.addToProjects({ ...tab, permission: 'read_project' });

  pages.get(LABELS, 'anyone', async (context) => {
    const actor = actorFor(context.browser);
    const place = await access.project(actor, projectPath(context.request), 'read_project');
    const request = pageRequest(context);
    const page = await planningReader.listLabels(place.project.id, request, { subscriber: userIdOf(actor) });
    await sendProjectPage(context, place, 'labels', {
      tab: 'labels',
      title: `Labels of ${place.project.name}`,
      address: addressOf(place),
      manages: context.browser.user !== undefined && isOffered(place.project, place.level, 'manage_labels'),
      showsMergeRequests: isOffered(place.project, place.level, 'read_merge_requests'),
      labels: page.items,
      page,
      request,
    });
  });

  addSubscription(pages, parts);
  addLabelForms(pages, parts);
};

const addSubscription = (pages: Pages, { access, planningReader, labelSubscriptions }: LabelPagesParts): void => {
  const subscription = `${LABELS}/:id/subscription`;
  const find = async (context: PageContext) => {
    const place = await projectOfPage(access, context, 'read_project');
    return { place, label: await labelAt(planningReader, place, context.request) };
  };
  pages.post(subscription, 'signed_in', async (context) => {
    const { browser, request, response } = context;
    const { place, label } = await find(context);
    const subscribed = field(request, 'subscribed') === 'true';
    await labelSubscriptions.change(actorOf(browser), place, label, subscribed);
    tell(response, browser, `You ${subscribed ? '' : 'no longer '}follow the label “${label.name}”.`);
    response.redirect(303, addressOf(place));
  });
  // Somebody who signs in again comes this way.
  pages.get(subscription, 'anyone', async (context) => {
    context.response.redirect(303, addressOf((await find(context)).place));
  });
};

/** The label of an address. @throws NotFound. */
const labelAt = async (
  reader: PlanningReader,
  { project }: Pick<Manager, 'project'>,
  { params: { id = '' } }: PageContext['request'],
): Promise<Label> =>
  orNotFound(/^\d+$/.test(String(id)) ? await reader.findLabel(project.id, String(id)) : undefined, 'Label');

const manage =
  ({ access }: LabelPagesParts) =>
  (context: PageContext): Promise<Manager> =>
    projectOfPage(access, context, 'manage_labels');

interface Managed {
  readonly place: Manager;
  readonly label: Label;
}

type Shown = Pick<Label, 'name' | 'color' | 'description'>;

const show = (context: PageContext, place: Manager, before: Shown, data: { readonly title: string }) => {
  const { name: title, color, description } = before;
  // Browsers know colors in small letters alone.
  const form = typed(context, { title, color: color.toLowerCase(), description });
  return sendProjectPage(context, place, 'label-form', { tab: 'labels', address: addressOf(place), form, ...data });
};

const addLabelForms = (pages: Pages, parts: LabelPagesParts): void => {
  const { planningReader, labels } = parts;
  const findLabel = async (context: PageContext): Promise<Managed> => {
    const place = await manage(parts)(context);
    return { place, label: await labelAt(planningReader, place, context.request) };
  };

  addFormPage<Manager>(pages, {
    path: `${LABELS}/new`,
    find: manage(parts),
    show: (context, place, refusal) =>
      show(
        context,
        place,
        { name: '', color: DEFAULT_LABEL_COLOR, description: '' },
        { title: 'New label', ...refusal },
      ),
    act: async (context, place) => {
      const { name } = await labels.add(place, labelIn(context));
      return { notice: `Label “${name}” created.`, to: addressOf(place) };
    },
  });

  addFormPage(pages, {
    path: `${LABELS}/:id/edit`,
    find: findLabel,
    show: (context, { place, label }, refusal) => show(context, place, label, { title: 'Edit label', ...refusal }),
    act: async (context, { place, label }) => {
      const { name } = await labels.edit(place, label, labelIn(context));
      return { notice: `Label “${name}” saved.`, to: addressOf(place) };
    },
  });

  addRemovalPage(pages, {
    path: `${LABELS}/:id/remove`,
    find: findLabel,
    ask: async ({ browser, places }, { place, label }) => ({
      title: `Remove the label ${label.name}?`,
      consequences: ['Issues that have it lose it, and stay.'],
      button: 'Remove label',
      cancel: addressOf(place),
      frame: await places.ofProject(browser, place, 'labels'),
    }),
    act: async (_context, { place, label }) => {
      await labels.remove(place, label);
      return { notice: `Label “${label.name}” removed.`, to: addressOf(place) };
    },
  });
};
