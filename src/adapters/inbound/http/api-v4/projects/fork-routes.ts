import { Type } from '@sinclair/typebox';
import { refuseBot, type UserActor } from '../../../../../application/shared/actor.js';
import type { PermittedNamespace } from '../../../../../application/shared/permitted.js';
import type { Forks } from '../../../../../application/workspace/forks.js';
import { Forbidden, NotFound } from '../../../../../domain/shared/domain-error.js';
import { identifierIn, type NamespaceId } from '../../../../../domain/shared/identifiers.js';
import { levelOfFeature } from '../../../../../domain/workspace/project-features.js';
import { VISIBILITIES } from '../../../../../domain/shared/visibility.js';
import { given } from '../../kit/given.js';
import { inProject, namedBy, PROJECT_ID } from '../../kit/guards.js';
import { pagedList } from '../../kit/paged-list.js';
import { route, type GuardContext, type Route } from '../../route.js';
import { identifier, nullable, oneOf, parameters, pathId, requiredText, text } from '../../validation/parameters.js';
import { ProjectSchema } from './project-schema.js';
import { LIST, LIST_FILTERS, ShowProjects, type ShowProjectsParts } from './show-projects.js';

export interface ForkRoutesParts extends ShowProjectsParts {
  readonly forks: Forks;
}
type Parts = ForkRoutesParts;

const TAG = 'Projects';

/** Whoever may not read the code of a private project finds nothing to fork. */
const sourceOf = async ({ access }: Parts, actor: UserActor, id: string | undefined) => {
  const place = await access.project(actor, id, 'read_project');
  const source = access.alsoWhere(actor, place, 'fork_project');
  if (source !== undefined) return source;
  throw levelOfFeature(place.project.features, 'forking') === 'enabled' ? new NotFound() : new Forbidden();
};

/** Where the fork is to be: the first of three parameters that is sent; else the caller's own namespace. */
const targetOf = async (
  { access, reader }: Parts,
  context: GuardContext & { readonly actor: UserActor },
): Promise<PermittedNamespace> => {
  const { actor } = context;
  const byId = identifierIn<NamespaceId>(namedBy(context, 'namespace_id'));
  const path = namedBy(context, 'namespace_path');
  const name = namedBy(context, 'namespace');
  const byName = async (text: string) =>
    identifierIn<NamespaceId>(text) ?? (await reader.findNamespaceByPath(text))?.id;
  const own = async () => {
    refuseBot(actor, 'own projects: name a group');
    return (await reader.findPersonalNamespace(actor.id))?.id;
  };
  const id =
    byId ??
    (path === undefined
      ? await (name === undefined ? own() : byName(name))
      : (await reader.findNamespaceByPath(path))?.id);
  if (id === undefined || (await reader.findNamespace(id)) === undefined) throw new NotFound('Namespace');
  try {
    return await access.namespaceForProjects(actor, id);
  } catch (error) {
    throw error instanceof Forbidden || error instanceof NotFound ? new NotFound('Target Namespace') : error;
  }
};

const forkProject = (parts: Parts) =>
  route({
    method: 'post',
    path: '/projects/:id/fork',
    operationId: 'forkProject',
    summary: 'Fork a project',
    description:
      'The fork is there at once and its code follows: `import_status` becomes `finished`, or `failed` with `import_error`. A fork is never more visible than its source, nor than the group that holds it.',
    tag: TAG,
    access: 'user',
    parameters: parameters({
      id: PROJECT_ID,
      namespace_id: Type.Optional(identifier<NamespaceId>('Where the fork is to be')),
      namespace_path: Type.Optional(requiredText(2_000, 'The same, by its path')),
      namespace: Type.Optional(requiredText(2_000, 'The same, by its id or path')),
      name: Type.Optional(text(1_000)),
      path: Type.Optional(text(1_000)),
      description: Type.Optional(nullable(text(10_000))),
      visibility: Type.Optional(oneOf(VISIBILITIES)),
      branches: Type.Optional(
        text(
          1_000,
          'The only branch that it gets, which is its default branch then; empty for all of them, and the tags',
        ),
      ),
    }),
    responses: { 201: ProjectSchema },
    guard: async (context) => ({
      source: await sourceOf(parts, context.actor, context.path['id']),
      namespace: await targetOf(parts, context),
    }),
    handle: async ({
      actor,
      subject: { source, namespace },
      parameters: { name, path, description, visibility, branches },
    }) => {
      const fields = given({ name, path, description, visibility, branch: branches === '' ? undefined : branches });
      const id = await parts.forks.fork(actor, source, namespace, fields);
      const fork = await parts.access.project(actor, String(id), 'read_project');
      return { status: 201, body: await new ShowProjects(parts).permitted(actor, fork) };
    },
  });

const listForks = (parts: Parts) =>
  pagedList({
    ...LIST,
    path: '/projects/:id/forks',
    operationId: 'listForks',
    summary: 'Forks of a project, as far as you may see them',
    tag: TAG,
    parameters: { ...LIST_FILTERS, id: PROJECT_ID },
    guard: inProject(parts.access, 'read_project'),
    read: (asked) => new ShowProjects(parts).page(asked, { forksOf: asked.subject.project.id }),
  });

const relateFork = (parts: Parts) =>
  route({
    method: 'post',
    path: '/projects/:id/fork/:forked_from_id',
    operationId: 'relateFork',
    summary: 'Say that a project that you own is a fork of another',
    tag: TAG,
    access: 'user',
    parameters: parameters({ id: PROJECT_ID, forked_from_id: pathId('Number, or URL-encoded path of the source') }),
    responses: { 201: ProjectSchema },
    guard: async ({ actor, path }) => ({
      permitted: await parts.access.project(actor, path['id'], 'manage_fork_relation'),
      source: await sourceOf(parts, actor, path['forked_from_id']),
    }),
    handle: async ({ actor, subject: { permitted, source } }) => {
      await parts.forks.relate(permitted, source);
      return { status: 201, body: await new ShowProjects(parts).permitted(actor, permitted) };
    },
  });

const unrelateFork = (parts: Parts) =>
  route({
    method: 'delete',
    path: '/projects/:id/fork',
    operationId: 'unrelateFork',
    summary: 'Tell a fork that you own apart from its source',
    description: '304 where it is no fork.',
    tag: TAG,
    access: 'user',
    parameters: parameters({ id: PROJECT_ID }),
    responses: { 204: null, 304: null },
    guard: inProject(parts.access, 'manage_fork_relation'),
    handle: async ({ subject }) => ({ status: (await parts.forks.unrelate(subject)) ? 204 : 304 }),
  });

export const createForkRoutes = (parts: Parts): readonly Route[] => [
  forkProject(parts),
  listForks(parts),
  relateFork(parts),
  unrelateFork(parts),
];
