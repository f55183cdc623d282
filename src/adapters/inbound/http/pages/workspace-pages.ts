import type { UserReader } from '../../../../application/identity/ports/identity-readers.js';
import { ANONYMOUS, type Actor } from '../../../../application/shared/actor.js';
import type { WorkspaceReader } from '../../../../application/workspace/ports/workspace-readers.js';
import type { WorkspaceAccess } from '../../../../application/workspace/workspace-access.js';
import { ACCESS_LEVEL_NAMES, type AccessLevel } from '../../../../domain/shared/access-level.js';
import { NotFound } from '../../../../domain/shared/domain-error.js';
import { isOffered, type ProjectPermission } from '../../../../domain/workspace/workspace-policy.js';
import type { PageRequest } from '../../../../domain/shared/page.js';
import { isStorable } from '../validation/storable-text.js';
import type { PageContext, Pages } from './page.js';
import { actorOf, type Browser } from './page-session.js';
import { joinedPath } from './project-path.js';
import { sendPage } from './render.js';

/** What another part of the product shows on the page of a project. */
export interface ProjectOverview {
  /** What its template needs; undefined where it is not for them to see. */
  show(actor: Actor, projectPath: string): Promise<Readonly<Record<string, unknown>> | undefined>;
}

export interface WorkspacePagesParts {
  readonly codeOverview: ProjectOverview;
  readonly users: UserReader;
  readonly reader: WorkspaceReader;
  readonly access: WorkspaceAccess;
}

const PER_PAGE = 20;
const MEMBERS_SHOWN = 100;

export const actorFor = (browser: Browser): Actor => (browser.user === undefined ? ANONYMOUS : actorOf(browser));

export const pageRequest = ({ request }: PageContext): PageRequest => {
  const page = Number(request.query['page']);
  return { page: Number.isSafeInteger(page) && page > 0 && page < 1e9 ? page : 1, perPage: PER_PAGE };
};

const search = ({ request }: PageContext): string => {
  const text = request.query['search'];
  return typeof text === 'string' && isStorable(text) ? text.slice(0, 255) : '';
};

const levelName = (level: number): string => ACCESS_LEVEL_NAMES[level as AccessLevel];

/** Those of a group or project, with the groups above. */
const MEMBERS = { inherited: true, page: { page: 1, perPage: MEMBERS_SHOWN } };

/** In the order in which addresses are matched: what nothing else is called is a person, or the path of a project. */
export const addWorkspacePages = (pages: Pages, parts: WorkspacePagesParts): void => {
  addStartPage(pages, parts);
  addExplorePages(pages, parts);
  addGroupPage(pages, parts);
  addPersonPage(pages, parts);
  addProjectPage(pages, parts);
};

const addStartPage = (pages: Pages, { reader, access }: WorkspacePagesParts): void => {
  pages.get('/', 'anyone', async ({ browser, response }) => {
    if (browser.user === undefined) return sendPage(response, browser, 'welcome', { title: 'Welcome' });
    const viewer = access.viewer(actorOf(browser));
    const page = { page: 1, perPage: PER_PAGE };
    const [projects, groups] = await Promise.all([
      reader.listProjects({ viewer, minAccessLevel: 10, orderBy: 'last_activity_at', sort: 'desc', page }),
      reader.listGroups({ viewer, minAccessLevel: 10, orderBy: 'name', sort: 'asc', page }),
    ]);
    sendPage(response, browser, 'start', { title: 'Start', projects: projects.items, groups: groups.items });
  });
};

const addExplorePages = (pages: Pages, { users, reader, access }: WorkspacePagesParts): void => {
  pages.get('/explore/projects', 'anyone', async (context) => {
    const { browser, response } = context;
    const [request, text] = [pageRequest(context), search(context)];
    const page = await reader.listProjects({
      viewer: access.viewer(actorFor(browser)),
      orderBy: 'name',
      sort: 'asc',
      page: request,
      ...(text === '' ? {} : { search: text }),
    });
    sendPage(response, browser, 'projects', { title: 'Projects', projects: page.items, page, request, search: text });
  });

  pages.get('/explore/groups', 'anyone', async (context) => {
    const { browser, response } = context;
    const [request, text] = [pageRequest(context), search(context)];
    const page = await reader.listGroups({
      viewer: access.viewer(actorFor(browser)),
      orderBy: 'path',
      sort: 'asc',
      page: request,
      ...(text === '' ? {} : { search: text }),
    });
    sendPage(response, browser, 'groups', { title: 'Groups', groups: page.items, page, request, search: text });
  });

  pages.get('/explore/people', 'signed_in', async (context) => {
    const { browser, response } = context;
    const [request, text] = [pageRequest(context), search(context)];
    const page = await users.list({
      orderBy: 'username',
      sort: 'asc',
      page: request,
      ...(text === '' ? {} : { search: text }),
    });
    sendPage(response, browser, 'people', { title: 'People', people: page.items, page, request, search: text });
  });
};

const addGroupPage = (pages: Pages, { reader, access }: WorkspacePagesParts): void => {
  pages.get('/groups/*path', 'anyone', async (context) => {
    const { browser, request, response } = context;
    const actor = actorFor(browser);
    const { group } = await access.group(actor, joinedPath(request), 'read_group');
    const viewer = access.viewer(actor);
    const paging = pageRequest(context);
    const [projects, groups, people] = await Promise.all([
      reader.listProjects({
        viewer,
        within: { namespaceId: group.id, includeSubgroups: false },
        orderBy: 'name',
        sort: 'asc',
        page: paging,
      }),
      reader.listGroups({ viewer, parentId: group.id, orderBy: 'name', sort: 'asc', page: { page: 1, perPage: 100 } }),
      browser.user === undefined ? undefined : reader.groupMembers(group.id, { ...MEMBERS, viewer }),
    ]);
    sendPage(response, browser, 'group', {
      title: group.fullName,
      group,
      projects: projects.items,
      page: projects,
      request: paging,
      groups: groups.items,
      members: people?.items.map((member) => ({ ...member, level: levelName(member.accessLevel) })),
    });
  });
};

const addPersonPage = (pages: Pages, { users, reader, access }: WorkspacePagesParts): void => {
  pages.get('/:username', 'anyone', async (context) => {
    const { browser, request, response } = context;
    const username = String(request.params['username']);
    const person = isStorable(username) ? await users.findByUsername(username) : undefined;
    const namespace = person === undefined ? undefined : await reader.findPersonalNamespace(person.id);
    if (person === undefined || namespace === undefined) throw new NotFound('User');
    const paging = pageRequest(context);
    const projects = await reader.listProjects({
      viewer: access.viewer(actorFor(browser)),
      within: { namespaceId: namespace.id, includeSubgroups: false },
      orderBy: 'name',
      sort: 'asc',
      page: paging,
    });
    sendPage(response, browser, 'person', {
      title: person.name,
      person,
      projects: projects.items,
      page: projects,
      request: paging,
    });
  });
};

/** What else there is of a project, below `/-/`, each for who may see it. */
const LINKS: readonly { readonly to: string; readonly label: string; readonly permission: ProjectPermission }[] = [
  { to: 'issues', label: 'Issues', permission: 'read_project' },
  { to: 'alert_management', label: 'Alerts', permission: 'manage_alerts' },
  { to: 'settings/operations', label: 'Operations', permission: 'send_test_alerts' },
  { to: 'settings/webhooks', label: 'Webhooks', permission: 'manage_webhooks' },
];

const addProjectPage = (pages: Pages, { reader, access, codeOverview }: WorkspacePagesParts): void => {
  pages.get('/*path', 'anyone', async ({ browser, request, response }) => {
    const actor = actorFor(browser);
    const path = joinedPath(request);
    // A number would be an id, and an address is a path.
    const { project, level } = await access.project(actor, path.includes('/') ? path : '', 'read_project');
    const viewer = access.viewer(actor);
    const [people, overview] = await Promise.all([
      browser.user === undefined ? undefined : reader.projectMembers(project.id, { ...MEMBERS, viewer }),
      codeOverview.show(actor, path),
    ]);
    sendPage(response, browser, 'project', {
      title: project.name,
      project,
      links: LINKS.filter(({ permission }) => isOffered(project, level, permission)),
      overview,
      code: true,
      members: people?.items.map((member) => ({ ...member, level: levelName(member.accessLevel) })),
    });
  });
};
