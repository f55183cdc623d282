import { given } from '../../kit/given.js';
import type { Viewer } from '../../../../../application/workspace/ports/workspace-readers.js';
import { ACCESS_LEVEL } from '../../../../../domain/shared/access-level.js';
import { topicsIn } from '../../../../../domain/workspace/topics.js';
import { keptOf } from '../list-sorting.js';
import type { Pages } from '../page.js';
import { actorFor, pageRequest, queryChoice, queryText } from '../page-request.js';
import { sendPage } from '../render.js';
import type { WorkspacePagesParts } from './workspace-pages-parts.js';

const WHOSE = ['all', 'mine', 'starred'] as const;
const WHOSE_LABELS = { all: 'All', mine: 'Mine', starred: 'Starred' } as const;
const NONE = {
  all: 'No projects here that you may see.',
  mine: 'You are a member of no project here.',
  starred: 'You starred no project here. The page of a project has a button for that.',
} as const;

/** The projects of each tab, which nobody has who is not signed in. */
const chosenBy = ({ userId }: Viewer) => ({
  all: {},
  mine: { minAccessLevel: ACCESS_LEVEL.guest },
  starred: userId === null ? {} : { starredBy: userId },
});

/** Every project, group and person that a viewer may see. */
export const addExplorePages = (pages: Pages, { users, reader, access }: WorkspacePagesParts): void => {
  pages.get('/explore/projects', 'anyone', async (context) => {
    const { browser, response } = context;
    const [request, search] = [pageRequest(context), queryText(context, 'search')];
    const viewer = access.viewer(actorFor(browser));
    const topic = queryText(context, 'topic');
    const of = browser.user === undefined ? 'all' : queryChoice(context, 'of', WHOSE);
    const page = await reader.listProjects({
      viewer,
      orderBy: 'name',
      sort: 'asc',
      ...given({ search: search || undefined, topics: topic === '' ? undefined : topicsIn([topic]) }),
      ...chosenBy(viewer)[of],
      page: request,
    });
    const kept = keptOf({ of: of === 'all' ? '' : of, topic, search });
    const tabs = WHOSE.map((name) => ({ name, label: WHOSE_LABELS[name] }));
    const shown = { projects: page.items, none: NONE[of], page, request, search, topic, of, tabs, kept };
    sendPage(response, browser, 'projects', { title: 'Projects', ...shown });
  });

  pages.get('/explore/groups', 'anyone', async (context) => {
    const { browser, response } = context;
    const [request, search] = [pageRequest(context), queryText(context, 'search')];
    const viewer = access.viewer(actorFor(browser));
    const order = { orderBy: 'path', sort: 'asc', page: request } as const;
    const page = await reader.listGroups({ viewer, ...order, ...given({ search: search || undefined }) });
    sendPage(response, browser, 'groups', { title: 'Groups', groups: page.items, page, request, search });
  });

  pages.get('/explore/people', 'signed_in', async (context) => {
    const { browser, response } = context;
    const [request, search] = [pageRequest(context), queryText(context, 'search')];
    const order = { orderBy: 'username', sort: 'asc', page: request } as const;
    const page = await users.list({ ...order, ...given({ search: search || undefined }) });
    sendPage(response, browser, 'people', { title: 'People', people: page.items, page, request, search });
  });
};
