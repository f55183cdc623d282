import { together } from '../../../../../application/shared/together.js';
import { DEFAULT_LABEL_COLOR, type NamedLabel, type UsableLabel } from '../../../../../domain/planning/label.js';
import { Invalid } from '../../../../../domain/shared/domain-error.js';
import { orNotFound } from '../../kit/or-not-found.js';
import { field } from '../form-fields.js';
import { addFormPage, typed } from '../frame/form-page.js';
import { tell } from '../frame/notice.js';
import { addRemovalPage } from '../frame/removal-page.js';
import type { PageContext } from '../page-context.js';
import type { Pages } from '../page.js';
import { pageRequest } from '../page-request.js';
import { actorOf } from '../page-session.js';
import { addLabelPromotionPage } from './label-promotion-page.js';
import {
  addressOf,
  LABELS_TAB,
  labelsOfGroups,
  labelsOfProjects,
  type LabelPagesParts,
  type LabelPlace,
  type LabelPlaces,
  type ManagedLabelPlace,
} from './label-places.js';

/** What the form says. @throws Invalid for a comma, in words that say more than those that clients of the API know. */
const labelIn = ({ request }: PageContext): NamedLabel => {
  const name = field(request, 'title').trim();
  if (name.includes(',')) throw new Invalid({ title: ["can't have a comma: lists of labels are written with commas"] });
  return { name, color: field(request, 'color').trim(), description: field(request, 'description').trim() };
};

/** The labels of a project, and those of a group. */
export const addLabelPages = (pages: Pages, parts: LabelPagesParts): void => {
  const tab = { name: LABELS_TAB, label: 'Labels', to: 'labels', order: 50, within: 'planning' } as const;
  pages.tabs.addToProjects({ ...tab, permission: 'read_labels' });
  pages.tabs.addToGroups({ ...tab, permission: 'read_group' });
  // Addresses of groups first: those of projects begin with anything.
  for (const places of [labelsOfGroups(parts), labelsOfProjects(parts)]) {
    addList(pages, places);
    addSubscription(pages, places);
    addForms(pages, places);
    addRemoval(pages, places);
  }
  addLabelPromotionPage(pages, parts);
};

const addList = (pages: Pages, { path, toRead }: LabelPlaces): void =>
  pages.get(path, 'anyone', async (context) => {
    const place = await toRead(context);
    const request = pageRequest(context);
    const [page, promotes] = await together([
      place.list(request),
      place.manages ? place.promotes() : Promise.resolve(false),
    ]);
    await place.send('labels', {
      title: `Labels of ${place.name}`,
      address: addressOf(place),
      base: place.base,
      manages: place.manages,
      promotes,
      showsMergeRequests: place.showsMergeRequests,
      labels: page.items.map((label) => ({ ...label, of: place.isOwn(label) ? undefined : label.group?.name })),
      page,
      request,
    });
  });

const addSubscription = (pages: Pages, { path, toRead }: LabelPlaces): void => {
  const subscription = `${path}/:id/subscription`;
  const find = async (context: PageContext) => {
    const place = await toRead(context);
    return { place, label: await labelAt(place, context.request) };
  };
  pages.post(subscription, 'signed_in', async (context) => {
    const { browser, request, response } = context;
    const { place, label } = await find(context);
    const subscribed = field(request, 'subscribed') === 'true';
    await place.subscribe(actorOf(browser), label, subscribed);
    tell(response, browser, `You ${subscribed ? '' : 'no longer '}follow the label “${label.name}”.`);
    response.redirect(303, addressOf(place));
  });
  // Somebody who signs in again comes this way.
  pages.get(subscription, 'anyone', async (context) => {
    context.response.redirect(303, addressOf((await find(context)).place));
  });
};

/** The label of an address. @throws NotFound. */
const labelAt = async (place: LabelPlace, { params: { id = '' } }: PageContext['request']): Promise<UsableLabel> =>
  orNotFound(/^\d+$/.test(String(id)) ? await place.find(String(id)) : undefined, 'Label');

interface Managed {
  readonly place: ManagedLabelPlace;
  readonly label: UsableLabel;
}

/** @throws NotFound for those of groups above: they are managed there. */
const findOwn =
  ({ toManage }: LabelPlaces) =>
  async (context: PageContext): Promise<Managed> => {
    const place = await toManage(context);
    const label = await labelAt(place, context.request);
    return { place, label: orNotFound(place.isOwn(label) ? label : undefined, 'Label') };
  };

const show = (context: PageContext, place: LabelPlace, before: NamedLabel, data: { readonly title: string }) => {
  const { name: title, color, description } = before;
  // Browsers know colors in small letters alone.
  const form = typed(context, { title, color: color.toLowerCase(), description });
  return place.send('label-form', { address: addressOf(place), form, ...data });
};

const addForms = (pages: Pages, places: LabelPlaces): void => {
  addFormPage<ManagedLabelPlace>(pages, {
    path: `${places.path}/new`,
    find: places.toManage,
    show: (context, place, refusal) =>
      show(
        context,
        place,
        { name: '', color: DEFAULT_LABEL_COLOR, description: '' },
        { title: 'New label', ...refusal },
      ),
    act: async (context, place) => {
      const { name } = await place.add(labelIn(context));
      return { notice: `Label “${name}” created.`, to: addressOf(place) };
    },
  });

  addFormPage<Managed>(pages, {
    path: `${places.path}/:id/edit`,
    find: findOwn(places),
    show: (context, { place, label }, refusal) => show(context, place, label, { title: 'Edit label', ...refusal }),
    act: async (context, { place, label }) => {
      const { name } = await place.edit(label, labelIn(context));
      return { notice: `Label “${name}” saved.`, to: addressOf(place) };
    },
  });
};

const addRemoval = (pages: Pages, places: LabelPlaces): void =>
  addRemovalPage<Managed>(pages, {
    path: `${places.path}/:id/remove`,
    find: findOwn(places),
    ask: async (_context, { place, label }) => ({
      title: `Remove the label ${label.name}?`,
      consequences: [place.losing],
      button: 'Remove label',
      cancel: addressOf(place),
      frame: await place.frame(),
    }),
    act: async (_context, { place, label }) => {
      await place.remove(label);
      return { notice: `Label “${label.name}” removed.`, to: addressOf(place) };
    },
  });
