import type { GroupTransfers } from '../../../../../application/workspace/group-transfers.js';
import type { Groups } from '../../../../../application/workspace/groups.js';
import { field } from '../form-fields.js';
import { addFormPage, typed } from '../frame/form-page.js';
import { addRemovalPage } from '../frame/removal-page.js';
import { sendGroupPage } from '../frame/send-place-page.js';
import type { PageContext } from '../page-context.js';
import type { Pages } from '../page.js';
import { actorOf } from '../page-session.js';
import { joinedPath } from '../project-path.js';
import { addGroupTransferPage } from './group-transfer-page.js';
import { REQUEST_OPTIONS, requestsIn, requestValues } from './request-field.js';
import { VISIBILITY_OPTIONS, visibilityIn } from './visibility-words.js';
import type { WorkspacePagesParts } from './workspace-pages-parts.js';

type Parts = WorkspacePagesParts & { readonly groups: Groups; readonly groupTransfers: GroupTransfers };

const SETTINGS = '/groups/*path/-/settings';

/** Settings of a group: its name, path, description and visibility, and its removal. */
export const addGroupSettingsPages = (pages: Pages, parts: Parts): void => {
  pages.tabs.addToGroups({
    name: 'general',
    label: 'General',
    to: 'settings',
    permission: 'manage_group',
    order: 70,
    within: 'settings',
    signedIn: true,
  });

  const find = ({ browser, request }: PageContext) =>
    parts.access.group(actorOf(browser), joinedPath(request), 'manage_group');

  addFormPage(pages, {
    path: SETTINGS,
    find,
    show: (context, place, refusal) => {
      const { name, path, description, visibility, requestAccessEnabled, fullPath } = place.group;
      return sendGroupPage(context, place, 'group-settings', {
        tab: 'general',
        title: `Settings of ${name}`,
        address: `/groups/${fullPath}/-/settings`,
        form: typed(context, { name, path, description, visibility, ...requestValues(requestAccessEnabled) }),
        visibilities: VISIBILITY_OPTIONS,
        requestOptions: REQUEST_OPTIONS,
        ...refusal,
      });
    },
    act: async (context, place) => {
      const { request } = context;
      const path = field(request, 'path').trim();
      await parts.groups.edit(place, {
        name: field(request, 'name').trim(),
        path,
        description: field(request, 'description').trim(),
        visibility: visibilityIn(field(request, 'visibility')),
        ...requestsIn(context),
      });
      const above = place.group.fullPath.slice(0, -place.group.path.length);
      return { notice: 'Settings of the group saved.', to: `/groups/${above}${path}/-/settings` };
    },
  });

  addGroupTransferPage(pages, parts);
  addRemoval(pages, parts);
};

const addRemoval = (pages: Pages, parts: Parts): void => {
  addRemovalPage(pages, {
    path: `${SETTINGS}/remove`,
    find: ({ browser, request }) => parts.access.group(actorOf(browser), joinedPath(request), 'remove_group'),
    ask: async (context, place) => ({
      title: `Remove the group ${place.group.fullName}?`,
      consequences: [
        'Every subgroup and project in it goes with it: their code, issues, alerts and members.',
        'It is gone at once, and nobody can bring it back.',
      ],
      button: 'Remove group',
      cancel: `/groups/${place.group.fullPath}/-/settings`,
      typed: place.group.fullPath,
      frame: await context.places.ofGroup(context.browser, place, 'general'),
    }),
    act: async (_context, place) => {
      await parts.groups.requestRemoval(place);
      return { notice: `Group “${place.group.fullName}” removed.`, to: '/explore/groups' };
    },
  });
};
