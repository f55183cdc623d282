import type { CodeImports, CodeImportsNeed } from '../../../../../application/repositories/code-imports.js';
import type { Projects, ProjectsNeed } from '../../../../../application/workspace/projects.js';
import { MAX_REMOTE_URL } from '../../../../../domain/shared/remote-url.js';
import { identifierIn, type NamespaceId } from '../../../../../domain/shared/identifiers.js';
import { given } from '../../kit/given.js';
import { orNotFound } from '../../kit/or-not-found.js';
import { field } from '../form-fields.js';
import { addFormPage, typed } from '../frame/form-page.js';
import type { Pages } from '../page.js';
import { actorOf } from '../page-session.js';
import { remoteUrlIn, shownRemoteUrl } from '../remote-url-field.js';
import { sendPage } from '../render.js';
import { namespacesFor } from './namespaces-for.js';
import { VISIBILITY_OPTIONS, visibilityIn } from './visibility-words.js';
import type { WorkspacePagesParts } from './workspace-pages-parts.js';

type Parts = WorkspacePagesParts & {
  readonly projects: Projects<ProjectsNeed & CodeImportsNeed>;
  readonly codeImports: CodeImports;
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
        import_url: '',
        username: '',
        namespace_id: String(wanted?.id ?? ''),
      };
      const form = typed(context, before);
      sendPage(context.response, context.browser, 'new-project', {
        title: 'New project',
        form: { ...form, import_url: shownRemoteUrl(form.import_url) },
        mostUrl: MAX_REMOTE_URL,
        fieldLabels: { import_url: 'URL' },
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
      const importUrl = remoteUrlIn(request, 'import_url');
      const command = {
        creatorId: actor.id,
        name: field(request, 'name').trim(),
        ...given({ path: path === '' ? undefined : path }),
        description: field(request, 'description').trim() || null,
        visibility: visibilityIn(field(request, 'visibility')),
        defaultBranch: null,
        mergeWhenPipelineSucceeds: false,
      };
      const ask = importUrl === '' ? undefined : parts.codeImports.from(importUrl, actor.id);
      const projectId = await parts.projects.create(namespace, command, ask);
      const project = orNotFound(await parts.reader.findProject(projectId), 'Project');
      return { notice: `Project “${project.name}” created.`, to: `/${project.fullPath}` };
    },
  });
};
