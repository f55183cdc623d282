import type { PermittedProject } from '../../../../../application/shared/permitted.js';
import type { Forks } from '../../../../../application/workspace/forks.js';
import type { ProjectRelationsReader } from '../../../../../application/workspace/ports/project-relations.js';
import { Taken } from '../../../../../domain/shared/domain-error.js';
import type { Project } from '../../../../../domain/workspace/namespace.js';
import { identifierIn, type NamespaceId } from '../../../../../domain/shared/identifiers.js';
import { given } from '../../kit/given.js';
import { orNotFound } from '../../kit/or-not-found.js';
import { field } from '../form-fields.js';
import { addFormPage, typed, type Refusal } from '../frame/form-page.js';
import { sendProjectPage } from '../frame/send-place-page.js';
import type { PageContext } from '../page-context.js';
import type { Pages } from '../page.js';
import { actorFor, pageRequest } from '../page-request.js';
import { actorOf } from '../page-session.js';
import { projectPath } from '../project-path.js';
import { unlessRefused } from '../../kit/unless-refused.js';
import { namespacesFor } from './namespaces-for.js';
import type { WorkspacePagesParts } from './workspace-pages-parts.js';

type Parts = WorkspacePagesParts & { readonly forks: Forks; readonly relations: ProjectRelationsReader };
type Source = PermittedProject<'fork_project'>;

const FORKS = '/*path/-/forks';

const listAddress = (fullPath: string): string => `/${fullPath}/-/forks`;

/** What a project was made of, and what others made of it. */
const addForkList = (pages: Pages, { access, reader, relations }: Parts): void =>
  pages.get(FORKS, 'anyone', async (context) => {
    const actor = actorFor(context.browser);
    const path = projectPath(context.request);
    const place = await access.project(actor, path, 'read_project');
    const { project } = place;
    const [viewer, request] = [access.viewer(actor), pageRequest(context)];
    const order = { orderBy: 'last_activity_at', sort: 'desc', page: request } as const;
    const [page, found, source] = await Promise.all([
      reader.listProjects({ viewer, forksOf: project.id, ...order }),
      relations.relationsOf(viewer, [project.id]),
      actor.kind === 'user' ? unlessRefused(access.project(actor, path, 'fork_project')) : undefined,
    ]);
    const { forkedFrom, copied, forks = 0 } = found.get(project.id) ?? {};
    await sendProjectPage(context, place, 'forks', {
      tab: 'overview',
      title: `Forks of ${project.name}`,
      mayFork: source !== undefined,
      address: listAddress(project.fullPath),
      origin: forkedFrom?.project,
      copied,
      count: forks,
      projects: page.items,
      page,
      request,
      kept: {},
    });
  });

const ALL_BRANCHES = '';

const choicesOf = (defaultBranch: string) => [
  [ALL_BRANCHES, 'All, and the tags'],
  [defaultBranch, `Only ${defaultBranch}`],
];

const addForkForm = (pages: Pages, parts: Parts): void => {
  const find = ({ browser, request }: PageContext): Promise<Source> =>
    parts.access.project(actorOf(browser), projectPath(request), 'fork_project');
  addFormPage<Source>(pages, {
    path: `${FORKS}/new`,
    find,
    show: async (context: PageContext, place: Source, refusal: Refusal) => {
      const { project } = place;
      const { options } = await namespacesFor(parts, context);
      await sendProjectPage(context, place, 'fork-form', {
        tab: 'overview',
        title: `Fork ${project.name}`,
        namespaces: options,
        cancel: listAddress(project.fullPath),
        branches: project.defaultBranch === null ? undefined : choicesOf(project.defaultBranch),
        form: typed(context, { namespace_id: '', name: project.name, path: project.path, branches: ALL_BRANCHES }),
        ...refusal,
      });
    },
    act: async (context, source) => {
      const { browser, request } = context;
      const actor = actorOf(browser);
      const id = orNotFound(identifierIn<NamespaceId>(field(request, 'namespace_id')), 'Namespace');
      const namespace = await parts.access.namespaceForProjects(actor, id);
      const [name, path] = [field(request, 'name').trim(), field(request, 'path').trim()];
      const branch = field(request, 'branches');
      const fields = given({
        name: name === '' ? undefined : name,
        path: path === '' ? undefined : path,
        branch: branch === ALL_BRANCHES ? undefined : branch,
      });
      try {
        const forkId = await parts.forks.fork(actor, source, namespace, fields);
        const fork = orNotFound(await parts.reader.findProject(forkId), 'Project');
        return { notice: `${source.project.name} forked. Its code follows within seconds.`, to: `/${fork.fullPath}` };
      } catch (error) {
        const fork =
          error instanceof Taken
            ? await forkThere(parts, context, source, `${namespace.fullPath}/${path || source.project.path}`)
            : undefined;
        if (fork === undefined) throw error;
        return { notice: 'You had forked it there already: this is the fork.', to: `/${fork.fullPath}` };
      }
    },
  });
};

/** The fork of a project that is at a path already, as far as they see it: who presses the button twice is led to what it made. */
const forkThere = async (
  { access, relations }: Parts,
  { browser }: PageContext,
  { project: { id } }: Source,
  path: string,
): Promise<Project | undefined> => {
  const actor = actorFor(browser);
  const there = await unlessRefused(access.project(actor, path, 'read_project'));
  if (there === undefined) return undefined;
  const found = await relations.relationsOf(access.viewer(actor), [there.project.id]);
  return found.get(there.project.id)?.forkedFrom?.project.id === id ? there.project : undefined;
};

export const addForkPages = (pages: Pages, parts: Parts): void => {
  addForkForm(pages, parts);
  addForkList(pages, parts);
};
