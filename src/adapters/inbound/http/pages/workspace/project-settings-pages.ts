import type { Actor } from '../../../../../application/shared/actor.js';
import type { PermittedNamespace, PermittedProject } from '../../../../../application/shared/permitted.js';
import type { ProjectRelationsReader } from '../../../../../application/workspace/ports/project-relations.js';
import type { Projects } from '../../../../../application/workspace/projects.js';
import { Invalid, NotFound } from '../../../../../domain/shared/domain-error.js';
import { topicsIn } from '../../../../../domain/workspace/topics.js';
import { isOffered, type ProjectPermission } from '../../../../../domain/workspace/workspace-policy.js';
import { orNotFound } from '../../kit/or-not-found.js';
import { field } from '../form-fields.js';
import { addFormPage, typed } from '../frame/form-page.js';
import { tell } from '../frame/notice.js';
import { addRemovalPage } from '../frame/removal-page.js';
import { refuseOvertaken, seenIn } from '../frame/seen-values.js';
import { sendProjectPage } from '../frame/send-place-page.js';
import type { PageContext } from '../page-context.js';
import type { Pages } from '../page.js';
import { actorOf } from '../page-session.js';
import { projectPath } from '../project-path.js';
import { FEATURE_FIELDS, FEATURE_OPTIONS, featuresIn, featureValues } from './feature-fields.js';
import { namespacesFor } from './namespaces-for.js';
import { REQUEST_OPTIONS, requestsIn, requestValues } from './request-field.js';
import { VISIBILITY_OPTIONS, visibilityIn } from './visibility-words.js';
import type { WorkspacePagesParts } from './workspace-pages-parts.js';

type Parts = WorkspacePagesParts & { readonly projects: Projects; readonly relations: ProjectRelationsReader };

const SETTINGS = '/*path/-/settings';

const finder =
  <Permission extends ProjectPermission>({ access }: Parts, permission: Permission) =>
  ({ browser, request }: PageContext): Promise<PermittedProject<Permission>> =>
    access.project(actorOf(browser), projectPath(request), permission);

/** Settings of a project: what it is called, who sees it, and what happens to all of it. */
export const addProjectSettingsPages = (pages: Pages, parts: Parts): void => {
  pages.tabs.addToProjects({
    name: 'general',
    label: 'General',
    to: 'settings',
    permission: 'manage_project',
    order: 70,
    within: 'settings',
    signedIn: true,
  });
  addGeneralSettings(pages, parts);
  addTransfer(pages, parts);
  addArchiving(pages, parts);
  addRemoval(pages, parts);
};

const valuesOf = async (
  { access, relations }: Parts,
  { browser }: PageContext,
  {
    id,
    name,
    path,
    description,
    visibility,
    requestAccessEnabled,
    features,
  }: PermittedProject<'manage_project'>['project'],
) => {
  const related = await relations.relationsOf(access.viewer(actorOf(browser)), [id]);
  const topics = related.get(id)?.topics.join(', ') ?? '';
  const asking = requestValues(requestAccessEnabled);
  return { name, path, description: description ?? '', topics, visibility, ...asking, ...featureValues(features) };
};

const addGeneralSettings = (pages: Pages, parts: Parts): void => {
  addFormPage<PermittedProject<'manage_project'>>(pages, {
    path: SETTINGS,
    find: finder(parts, 'manage_project'),
    show: async (context, place, refusal) => {
      const { project, level } = place;
      const { name, fullPath } = project;
      const values = await valuesOf(parts, context, project);
      const may = (permission: ProjectPermission) => isOffered(project, level, permission);
      return sendProjectPage(context, place, 'project-settings', {
        tab: 'general',
        title: `Settings of ${name}`,
        address: `/${fullPath}/-/settings`,
        form: typed(context, values),
        seen: seenIn(context, values),
        visibilities: VISIBILITY_OPTIONS,
        requestOptions: REQUEST_OPTIONS,
        features: FEATURE_FIELDS,
        featureLevels: FEATURE_OPTIONS,
        mayTransfer: may('transfer_project'),
        mayArchive: may('archive_project'),
        mayRemove: may('remove_project'),
        ...refusal,
      });
    },
    act: async (context, place) => {
      const { request } = context;
      const path = field(request, 'path').trim();
      refuseOvertaken(context, await valuesOf(parts, context, place.project));
      await parts.projects.edit(place, {
        name: field(request, 'name').trim(),
        path,
        description: field(request, 'description').trim() || null,
        topics: topicsIn([field(request, 'topics')]),
        visibility: visibilityIn(field(request, 'visibility')),
        ...requestsIn(context),
        features: featuresIn(context),
      });
      return {
        notice: 'Settings of the project saved.',
        to: `/${place.project.namespace.fullPath}/${path}/-/settings`,
      };
    },
  });
};

/** @throws Invalid, in the same words, for a path that leads nowhere and for one that is not theirs to see. */
const findTarget = async ({ access, reader }: Parts, actor: Actor, path: string): Promise<PermittedNamespace> => {
  try {
    const { id } = orNotFound(await reader.findNamespaceByPath(path));
    return await access.namespaceForProjects(actor, id);
  } catch (error) {
    if (!(error instanceof NotFound)) throw error;
    throw new Invalid({ namespace: ['is not the path of a group, or your own'] });
  }
};

const addTransfer = (pages: Pages, parts: Parts): void => {
  addFormPage<PermittedProject<'transfer_project'>>(pages, {
    path: `${SETTINGS}/transfer`,
    find: finder(parts, 'transfer_project'),
    show: async (context, place, refusal) =>
      sendProjectPage(context, place, 'project-transfer', {
        tab: 'general',
        title: 'Transfer project',
        address: `/${place.project.fullPath}/-/settings`,
        form: typed(context, { namespace: '', confirmation: '' }),
        suggested: (await namespacesFor(parts, context)).options
          .map(([, fullPath]) => fullPath)
          .filter((fullPath) => fullPath !== place.project.namespace.fullPath),
        ...refusal,
      }),
    act: async (context, place) => {
      const { request } = context;
      const actor = actorOf(context.browser);
      const { fullPath, path } = place.project;
      if (field(request, 'confirmation').trim() !== fullPath)
        throw new Invalid({ confirmation: [`is not ${fullPath}`] });
      const target = await findTarget(parts, actor, field(request, 'namespace').trim());
      await parts.projects.transfer(place, target, actor.id);
      return { notice: `Project moved to ${target.fullPath}.`, to: `/${target.fullPath}/${path}` };
    },
  });
};

const addArchiving = (pages: Pages, parts: Parts): void => {
  pages.post(`${SETTINGS}/archive`, 'signed_in', async (context) => {
    const place = await finder(parts, 'archive_project')(context);
    const archived = field(context.request, 'archived') === 'true';
    await parts.projects.setArchived(place, archived);
    tell(context.response, context.browser, `Project “${place.project.name}” ${archived ? 'archived' : 'unarchived'}.`);
    context.response.redirect(303, `/${place.project.fullPath}/-/settings`);
  });
};

const addRemoval = (pages: Pages, parts: Parts): void => {
  addRemovalPage<PermittedProject<'remove_project'>>(pages, {
    path: `${SETTINGS}/remove`,
    find: finder(parts, 'remove_project'),
    ask: async (context, place) => ({
      title: `Remove the project ${place.project.name}?`,
      consequences: [
        'Its code, issues, milestones, labels, alerts and webhooks go with it.',
        'Forks of it stay.',
        'It is gone at once, and nobody can bring it back.',
      ],
      button: 'Remove project',
      cancel: `/${place.project.fullPath}/-/settings`,
      typed: place.project.fullPath,
      frame: await context.places.ofProject(context.browser, place, 'general'),
    }),
    act: async (_context, place) => {
      await parts.projects.requestRemoval(place);
      return { notice: `Project “${place.project.name}” removed.`, to: '/' };
    },
  });
};
