import type { CodeImportReader } from '../../../../../application/repositories/ports/code-imports.js';
import { together } from '../../../../../application/shared/together.js';
import type { ProjectRelationsReader } from '../../../../../application/workspace/ports/project-relations.js';
import { sendProjectPage } from '../frame/send-place-page.js';
import type { Pages } from '../page.js';
import { actorFor } from '../page-request.js';
import { joinedPath } from '../project-path.js';
import { askingAt, type AccessRequestPagesParts } from './access-request-forms.js';

type Parts = AccessRequestPagesParts & {
  readonly relations: ProjectRelationsReader;
  readonly codeImportReader: CodeImportReader;
};

/** A project, with its files. */
export const addProjectPage = (pages: Pages, parts: Parts): void => {
  const { access, codeOverview, badgesOfProject, relations, codeImportReader } = parts;
  pages.tabs.addToProjects({ name: 'overview', label: 'Overview', to: '', permission: 'read_project', order: 0 });

  pages.get('/*path', 'anyone', async (context) => {
    const actor = actorFor(context.browser);
    const path = joinedPath(context.request);
    // A number would be an id, and an address is a path.
    const place = await access.project(actor, path.includes('/') ? path : '', 'read_project');
    const { id } = place.project;
    const [overview, badges, found, starred, asking] = await together([
      codeOverview.show(actor, place),
      badgesOfProject.show(actor, place),
      relations.relationsOf(access.viewer(actor), [id]),
      actor.kind === 'user' ? relations.hasStarred(id, actor.id) : Promise.resolve(false),
      askingAt(parts, context, place),
    ]);
    const { stars = 0, forks = 0, topics = [], forkedFrom, copied } = found.get(id) ?? {};
    const isFailed = copied?.state === 'failed';
    const mayImport = isFailed && access.alsoWhere(actor, place, 'manage_project') !== undefined;
    await sendProjectPage(context, place, 'project', {
      tab: 'overview',
      title: place.project.name,
      overview,
      badges,
      origin: forkedFrom?.project,
      copied,
      importAgain: mayImport && (await codeImportReader.urlOf(id)) !== undefined,
      stars,
      forks,
      starred,
      asking,
      topics,
    });
  });
};
