import type { Projects } from '../../../../../application/workspace/projects.js';
import { identifierIn, type NamespaceId } from '../../../../../domain/shared/identifiers.js';
import { given } from '../../kit/given.js';
import { orNotFound } from '../../kit/or-not-found.js';
import { field } from '../form-fields.js';
import { addFormPage, typed } from '../frame/form-page.js';
import type { Pages } from '../page.js';
import { actorOf } from '../page-session.js';
import { sendPage } from '../render.js';
import { namespacesFor } from './namespaces-for.js';
import { VISIBILITY_OPTIONS, visibilityIn } from './visibility-words.js';
import type { WorkspacePagesParts } from './workspace-pages-parts.js';

type Parts = WorkspacePagesParts & { readonly projects: Projects };

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
