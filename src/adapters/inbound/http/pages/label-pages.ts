import type { Labels } from '../../../../application/planning/labels.js';
import type { PlanningReader } from '../../../../application/planning/ports/planning-readers.js';
import type { PermittedProject } from '../../../../application/shared/permitted.js';
import type { WorkspaceAccess } from '../../../../application/workspace/workspace-access.js';
import { DEFAULT_LABEL_COLOR, type Label } from '../../../../domain/planning/label.js';
import { isOffered } from '../../../../domain/workspace/workspace-policy.js';
import { orNotFound } from '../kit/or-not-found.js';
import { field } from './form-fields.js';
import { addFormPage, typed } from './frame/form-page.js';
import { addRemovalPage } from './frame/removal-page.js';
import { sendProjectPage } from './frame/send-place-page.js';
import type { PageContext } from './page-context.js';
import type { Pages } from './page.js';
import { actorFor, pageRequest } from './page-request.js';
import { projectPath } from './project-path.js';

export interface LabelPagesParts {
  readonly access: WorkspaceAccess;
  readonly planningReader: PlanningReader;
  readonly labels: Labels;
}

type Manager = PermittedProject<'manage_labels'>;

const LABELS = '/*path/-/labels';

const addressOf = ({ project }: Pick<Manager, 'project'>): string => `/${project.fullPath}/-/labels`;

const labelIn = ({ request }: PageContext) => ({
  name: field(request, 'title').trim(),
  color: field(request, 'color').trim(),
  description: field(request, 'description').trim(),
});

/** The labels of a project. */
export const addLabelPages = (pages: Pages, parts: LabelPagesParts): void => {
  const { access, planningReader } = parts;
  pages.tabs.addToProjects({ name: 'labels', label: 'Labels', to: 'labels', permission: 'read_project', order: 50 });

  pages.get(LABELS, 'anyone', async (context) => {
    const place = await access.project(actorFor(context.browser), projectPath(context.request), 'read_project');
    const request = pageRequest(context);
    const page = await planningReader.listLabels(place.project.id, request);
    await sendProjectPage(context, place, 'labels', {
      tab: 'labels',
      title: `Labels of ${place.project.name}`,
      address: addressOf(place),
      manages: context.browser.user !== undefined && isOffered(place.project, place.level, 'manage_labels'),
      labels: page.items,
      page,
      request,
    });
  });

  addLabelForms(pages, parts);
};

const manage =
  ({ access }: LabelPagesParts) =>
  ({ browser, request }: PageContext): Promise<Manager> =>
    access.project(actorFor(browser), projectPath(request), 'manage_labels');

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
    const id = String(context.request.params['id']);
    const label = /^\d+$/.test(id) ? await planningReader.findLabel(place.project.id, id) : undefined;
    return { place, label: orNotFound(label, 'Label') };
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
