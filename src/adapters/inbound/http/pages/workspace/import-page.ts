import type { CodeImports } from '../../../../../application/repositories/code-imports.js';
import type { CodeImportReader } from '../../../../../application/repositories/ports/code-imports.js';
import type { PermittedProject } from '../../../../../application/shared/permitted.js';
import type { ProjectRelationsReader } from '../../../../../application/workspace/ports/project-relations.js';
import { MAX_REMOTE_URL } from '../../../../../domain/shared/remote-url.js';
import { orNotFound } from '../../kit/or-not-found.js';
import { addFormPage, typed } from '../frame/form-page.js';
import { sendProjectPage } from '../frame/send-place-page.js';
import type { Pages } from '../page.js';
import { actorOf } from '../page-session.js';
import { projectOfPage } from '../project-of-page.js';
import { remoteUrlIn, shownRemoteUrl } from '../remote-url-field.js';
import type { WorkspacePagesParts } from './workspace-pages-parts.js';

export interface ImportPageParts extends WorkspacePagesParts {
  readonly codeImports: CodeImports;
  readonly codeImportReader: CodeImportReader;
  readonly relations: ProjectRelationsReader;
}

interface Imported {
  readonly place: PermittedProject<'manage_project'>;
  /** Where the code was to come from. */
  readonly url: string;
}

/** How the code of a project arrives from elsewhere; what failed is tried again here. */
export const addImportPage = (
  pages: Pages,
  { access, codeImports, codeImportReader, relations }: ImportPageParts,
): void =>
  addFormPage<Imported>(pages, {
    path: '/*path/-/import',
    find: async (context) => {
      const place = await projectOfPage(access, context, 'manage_project');
      return { place, url: orNotFound(await codeImportReader.urlOf(place.project.id)) };
    },
    show: async (context, { place, url }, refusal) => {
      const { id, name, fullPath } = place.project;
      const found = await relations.relationsOf(access.viewer(actorOf(context.browser)), [id]);
      const form = typed(context, { import_url: url, username: '' });
      await sendProjectPage(context, place, 'import', {
        tab: 'overview',
        title: `Import of ${name}`,
        address: `/${fullPath}/-/import`,
        copied: found.get(id)?.copied,
        form: { ...form, import_url: shownRemoteUrl(form.import_url) },
        mostUrl: MAX_REMOTE_URL,
        fieldLabels: { import_url: 'URL' },
        ...refusal,
      });
    },
    act: async (context, { place }) => {
      await codeImports.again(place, remoteUrlIn(context.request, 'import_url'), actorOf(context.browser).id);
      return { notice: 'The code is fetched once more.', to: `/${place.project.fullPath}` };
    },
  });
