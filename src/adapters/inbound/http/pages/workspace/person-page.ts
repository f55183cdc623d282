import { NotFound } from '../../../../../domain/shared/domain-error.js';
import { isStorable } from '../../validation/storable-text.js';
import type { Pages } from '../page.js';
import { actorFor, pageRequest } from '../page-request.js';
import { sendPage } from '../render.js';
import type { WorkspacePagesParts } from './workspace-pages-parts.js';

/** A person, with the projects of their own. An account of the service, such as the one that reports alerts, has none. */
export const addPersonPage = (pages: Pages, { users, reader, access }: WorkspacePagesParts): void => {
  pages.get('/:username', 'anyone', async (context) => {
    const { browser, request, response } = context;
    const username = String(request.params['username']);
    const person = isStorable(username) ? await users.findByUsername(username) : undefined;
    if (person === undefined) throw new NotFound('User');
    const namespace = await reader.findPersonalNamespace(person.id);
    const paging = pageRequest(context);
    const projects =
      namespace &&
      (await reader.listProjects({
        viewer: access.viewer(actorFor(browser)),
        within: { namespaceId: namespace.id, includeSubgroups: false },
        orderBy: 'name',
        sort: 'asc',
        page: paging,
      }));
    sendPage(response, browser, 'person', {
      title: person.name,
      person,
      projects: projects?.items,
      page: projects ?? { hasNext: false },
      request: paging,
    });
  });
};
