import type { PermittedGroup } from '../../../../../application/shared/permitted.js';
import type { GroupTransfers } from '../../../../../application/workspace/group-transfers.js';
import { ACCESS_LEVEL } from '../../../../../domain/shared/access-level.js';
import { Forbidden, Invalid, NotFound } from '../../../../../domain/shared/domain-error.js';
import type { Group } from '../../../../../domain/workspace/namespace.js';
import { field } from '../form-fields.js';
import { addFormPage, typed } from '../frame/form-page.js';
import { sendGroupPage } from '../frame/send-place-page.js';
import type { PageContext } from '../page-context.js';
import type { Pages } from '../page.js';
import { actorOf } from '../page-session.js';
import { joinedPath } from '../project-path.js';
import type { WorkspacePagesParts } from './workspace-pages-parts.js';

type Parts = WorkspacePagesParts & { readonly groupTransfers: GroupTransfers };

const WHERE_TO = [
  ['below', 'Below another group'],
  ['top', 'To the top: no group holds it any more'],
] as const;

/** Moves a group below another, or to the top. */
export const addGroupTransferPage = (pages: Pages, parts: Parts): void => {
  addFormPage<PermittedGroup<'transfer_group'>>(pages, {
    path: '/groups/*path/-/settings/transfer',
    find: ({ browser, request }) => parts.access.group(actorOf(browser), joinedPath(request), 'transfer_group'),
    show: async (context, place, refusal) =>
      sendGroupPage(context, place, 'group-transfer', {
        tab: 'general',
        title: `Transfer ${place.group.name}`,
        address: `/groups/${place.group.fullPath}/-/settings`,
        form: typed(context, { to: 'below', parent: '', confirmation: '' }),
        // A group at the top can only go below another.
        whereTo: place.group.parentId === null ? undefined : WHERE_TO,
        suggested: await groupsToHold(parts, context, place.group),
        ...refusal,
      }),
    act: async (context, place) => {
      const { request, browser } = context;
      const { fullPath, name, path } = place.group;
      if (field(request, 'confirmation').trim() !== fullPath)
        throw new Invalid({ confirmation: [`is not ${fullPath}`] });
      const target = await findTarget(parts, context);
      await parts.groupTransfers.transfer(place, target, actorOf(browser));
      const moved = target === undefined ? path : `${target.group.fullPath}/${path}`;
      return { notice: `Group “${name}” moved to ${moved}.`, to: `/groups/${moved}` };
    },
  });
};

/** Undefined for the top. @throws Invalid, in the same words, for a path that leads nowhere and for a group that they may not put groups into. */
const findTarget = async ({ access }: Parts, { request, browser }: PageContext) => {
  const path = field(request, 'parent').trim();
  if (field(request, 'to') === 'top') {
    if (path !== '') throw new Invalid({ parent: ['must be empty to move the group to the top'] });
    return undefined;
  }
  try {
    return await access.group(actorOf(browser), path, 'create_subgroups');
  } catch (error) {
    if (!(error instanceof NotFound) && !(error instanceof Forbidden)) throw error;
    throw new Invalid({ parent: ['is not the path of a group that you may create subgroups in'] });
  }
};

const SUGGESTED = 100;

/** Paths of groups that it could go below, to choose from while typing: the first hundred. */
const groupsToHold = async ({ access, reader }: Parts, { browser }: PageContext, group: Group) => {
  const { items } = await reader.listGroups({
    viewer: access.viewer(actorOf(browser)),
    minAccessLevel: ACCESS_LEVEL.maintainer,
    orderBy: 'path',
    sort: 'asc',
    page: { page: 1, perPage: SUGGESTED },
  });
  const isOffered = ({ id, fullPath }: Group): boolean =>
    id !== group.parentId && !`${fullPath}/`.startsWith(`${group.fullPath}/`);
  return items.filter(isOffered).map(({ fullPath }) => fullPath);
};
