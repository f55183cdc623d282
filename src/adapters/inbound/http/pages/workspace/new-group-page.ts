import type { Groups } from '../../../../../application/workspace/groups.js';
import { NotFound } from '../../../../../domain/shared/domain-error.js';
import { pathFromName } from '../../../../../domain/workspace/naming.js';
import { field } from '../form-fields.js';
import { addFormPage, typed } from '../frame/form-page.js';
import type { PageContext } from '../page-context.js';
import type { Pages } from '../page.js';
import { queryText } from '../page-request.js';
import { actorOf } from '../page-session.js';
import { sendPage } from '../render.js';
import { VISIBILITY_OPTIONS, visibilityIn } from './visibility-words.js';
import type { WorkspacePagesParts } from './workspace-pages-parts.js';

type Parts = WorkspacePagesParts & { readonly groups: Groups };

const ADDRESS = '/groups/-/new';

const addressOf = (parent: string | undefined): string =>
  parent === undefined ? ADDRESS : `${ADDRESS}?${new URLSearchParams({ parent }).toString()}`;

/** A group at the top, or below the one that the address names. */
export const addNewGroupPage = (pages: Pages, parts: Parts): void => {
  const find = async (context: PageContext) => {
    const path = queryText(context, 'parent');
    return path === '' ? undefined : parts.access.group(actorOf(context.browser), path, 'create_subgroups');
  };

  addFormPage(pages, {
    path: ADDRESS,
    find,
    show: async (context, parent, refusal) => {
      const visibility = parent?.group.visibility ?? 'private';
      const title = parent === undefined ? 'New group' : 'New subgroup';
      sendPage(context.response, context.browser, 'new-group', {
        title,
        ...(parent === undefined ? {} : { place: await context.places.ofGroup(context.browser, parent, 'overview') }),
        address: addressOf(parent?.group.fullPath),
        form: typed(context, { name: '', path: '', description: '', visibility }),
        visibilities: VISIBILITY_OPTIONS,
        ...refusal,
      });
    },
    act: async (context, parent) => {
      const { request } = context;
      const name = field(request, 'name').trim();
      const id = await parts.groups.create(parent, {
        creator: actorOf(context.browser),
        name,
        path: field(request, 'path').trim() || pathFromName(name),
        description: field(request, 'description').trim(),
        visibility: visibilityIn(field(request, 'visibility')),
      });
      const group = await parts.reader.findGroup(id);
      if (group === undefined) throw new NotFound('Group');
      return { notice: `Group “${group.name}” created.`, to: `/groups/${group.fullPath}` };
    },
  });
};
