import type { Projects } from '../../../../../application/workspace/projects.js';
import { ACCESS_LEVEL } from '../../../../../domain/shared/access-level.js';
import { identifierIn, type NamespaceId } from '../../../../../domain/shared/identifiers.js';
import { given } from '../../kit/given.js';
import { orNotFound } from '../../kit/or-not-found.js';
import { field } from '../form-fields.js';
import { addFormPage, typed } from '../frame/form-page.js';
import type { PageContext } from '../page-context.js';
import type { Pages } from '../page.js';
import { queryText } from '../page-request.js';
import { actorOf } from '../page-session.js';
import { sendPage } from '../render.js';
import { VISIBILITY_OPTIONS, visibilityIn } from './visibility-words.js';
import type { WorkspacePagesParts } from './workspace-pages-parts.js';

type Parts = WorkspacePagesParts & { readonly projects: Projects };

const OFFERED = { page: 1, perPage: 100 };

/** Where somebody may create projects: a hundred at most are offered, and the one that the address names. */
const namespacesFor = async ({ reader, access }: Parts, context: PageContext) => {
  const actor = actorOf(context.browser);
  const viewer = access.viewer(actor);
  const order = { orderBy: 'path', sort: 'asc', page: OFFERED } as const;
  const [own, { items }, wanted] = await Promise.all([
    reader.findPersonalNamespace(actor.id),
    reader.listGroups({ viewer, minAccessLevel: ACCESS_LEVEL.developer, ...order }),
    wantedNamespace({ reader, access }, context),
  ]);
  const all = [...(wanted === undefined ? [] : [wanted]), ...(own === undefined ? [] : [own]), ...items];
  return { wanted, options: [...new Map(all.map(({ id, fullPath }) => [String(id), fullPath]))] };
};

const wantedNamespace = async ({ reader, access }: Pick<Parts, 'reader' | 'access'>, context: PageContext) => {
  const path = queryText(context, 'namespace');
  if (path === '') return undefined;
  // What they may not see answers as what isn't there.
  const found = orNotFound(await reader.findNamespaceByPath(path), 'Namespace');
  await access.namespaceForProjects(actorOf(context.browser), found.id);
  return found;
};

export const addNewProjectPage = (pages: Pages, parts: Parts): void => {
  addFormPage(pages, {
    path: '/projects/new',
    find: () => Promise.resolve(undefined),
    show: async (context, _place, refusal) => {
      const { wanted, options } = await namespacesFor(parts, context);
      const before = {
        name: '',
        path: '',
        description: '',
        visibility: 'private',
        namespace_id: String(wanted?.id ?? ''),
      };
      sendPage(context.response, context.browser, 'new-project', {
        title: 'New project',
        form: typed(context, before),
        namespaces: options,
        visibilities: VISIBILITY_OPTIONS,
        ...refusal,
      });
    },
    act: async (context) => {
      const { request } = context;
      const actor = actorOf(context.browser);
      const id = orNotFound(identifierIn<NamespaceId>(field(request, 'namespace_id')), 'Namespace');
      const namespace = await parts.access.namespaceForProjects(actor, id);
      const path = field(request, 'path').trim();
      const projectId = await parts.projects.create(namespace, {
        creatorId: actor.id,
        name: field(request, 'name').trim(),
        ...given({ path: path === '' ? undefined : path }),
        description: field(request, 'description').trim() || null,
        visibility: visibilityIn(field(request, 'visibility')),
        defaultBranch: null,
        mergeWhenPipelineSucceeds: false,
      });
      const project = orNotFound(await parts.reader.findProject(projectId), 'Project');
      return { notice: `Project “${project.name}” created.`, to: `/${project.fullPath}` };
    },
  });
};
