import { Type } from '@sinclair/typebox';
import { isAdmin, type UserActor } from '../../../../../application/shared/actor.js';
import type { WorkspaceReader } from '../../../../../application/workspace/ports/workspace-readers.js';
import type { WorkspaceAccess } from '../../../../../application/workspace/workspace-access.js';
import { NotFound } from '../../../../../domain/shared/domain-error.js';
import { identifierIn, type GroupId, type NamespaceId } from '../../../../../domain/shared/identifiers.js';
import type { Namespace } from '../../../../../domain/workspace/namespace.js';
import { given } from '../../kit/given.js';
import { orNotFound } from '../../kit/or-not-found.js';
import { routesOf } from '../../kit/routes-of.js';
import type { Route } from '../../route.js';
import { identifier, pathId, text } from '../../validation/parameters.js';
import type { WebUrls } from '../../web-urls.js';
import { NamespaceSchema, presentNamespace } from './namespace-schema.js';

export interface NamespaceRoutesParts {
  readonly access: WorkspaceAccess;
  readonly reader: WorkspaceReader;
  readonly urls: WebUrls;
}
type Parts = NamespaceRoutesParts;

const ALL = '/namespaces';
const ONE = `${ALL}/:id`;
/** How many other paths are tried where one is taken. */
const MOST_TRIES = 10;

const { list, get } = routesOf({ tag: 'Namespaces' });

const listNamespaces = ({ access, reader, urls }: Parts) =>
  list(ALL, 'listNamespaces', {
    summary: 'Your own namespace, and the groups that you are a member of',
    description: 'Administrators see those of everybody.',
    access: 'user',
    parameters: {
      search: Type.Optional(text(255, 'Part of the name or path')),
      owned_only: Type.Boolean({ default: false, description: 'Only those you own' }),
    },
    items: NamespaceSchema,
    read: ({ actor, parameters: { search, owned_only: ownedOnly }, page }) =>
      reader.listNamespaces({ viewer: access.viewer(actor), ownedOnly, page, ...given({ search }) }),
    present: (namespace) => presentNamespace(namespace, urls),
  });

/** One that the caller may see: their own, and groups. Those of other people are for administrators. */
const namespaceFor = async ({ access, reader }: Parts, actor: UserActor, name: string): Promise<Namespace> => {
  const id = identifierIn<NamespaceId>(name) ?? (await reader.findNamespaceByPath(name))?.id;
  const namespace = orNotFound(id === undefined ? undefined : await reader.findNamespace(id), 'Namespace');
  if (namespace.kind === 'user') {
    if (namespace.ownerId !== actor.id && !isAdmin(actor)) throw new NotFound('Namespace');
    return namespace;
  }
  try {
    await access.group(actor, String(namespace.id), 'read_group');
  } catch (error) {
    throw error instanceof NotFound ? new NotFound('Namespace') : error;
  }
  return namespace;
};

const getNamespace = (parts: Parts) =>
  get(ONE, 'getNamespace', {
    summary: 'Your own namespace, or a group that you may see',
    access: 'user',
    parameters: { id: pathId('Number, or URL-encoded path') },
    answer: NamespaceSchema,
    guard: ({ actor, path }) => namespaceFor(parts, actor, path['id'] ?? ''),
    handle: ({ subject }) => presentNamespace(subject, parts.urls),
  });

/**
 * Whether a name is taken at the top, or in a group as far as the caller sees what is in it. At the top everybody may take a name, and so
 * learns which ones are taken; in a group only those who see all of it.
 */
const isTaken = async (
  { access, reader }: Parts,
  actor: UserActor,
  path: string,
  parent?: GroupId,
): Promise<boolean> => {
  if (path.includes('/')) return false;
  if (parent === undefined) return (await reader.findNamespaceByPath(path)) !== undefined;
  const holder = await reader.findGroup(parent);
  if (holder === undefined) return false;
  const { items } = await reader.listGroups({
    viewer: access.viewer(actor),
    parentId: parent,
    paths: [`${holder.fullPath}/${path}`],
    orderBy: 'id',
    sort: 'asc',
    page: { page: 1, perPage: 1, counted: false },
  });
  return items.length > 0;
};

/** The first of `name1`, `name2`, … that is free; nothing where many are taken. */
const suggest = async (parts: Parts, actor: UserActor, path: string, parent?: GroupId): Promise<readonly string[]> => {
  for (let number = 1; number <= MOST_TRIES; number += 1)
    if (!(await isTaken(parts, actor, `${path}${number}`, parent))) return [`${path}${number}`];
  return [];
};

const namespaceExists = (parts: Parts) =>
  get(`${ONE}/exists`, 'namespaceExists', {
    summary: 'Whether a path is taken, and another one that is free',
    access: 'user',
    parameters: {
      id: pathId('The path, without those of the groups that hold it'),
      parent_id: Type.Optional(identifier<GroupId>('The group that it would be in; the top when absent')),
    },
    answer: Type.Object({ exists: Type.Boolean(), suggests: Type.Array(Type.String()) }),
    handle: async ({ actor, parameters: { id: path, parent_id: parent } }) => {
      const exists = await isTaken(parts, actor, path, parent);
      return { exists, suggests: exists ? await suggest(parts, actor, path, parent) : [] };
    },
  });

export const createNamespaceRoutes = (parts: Parts): readonly Route[] => [
  listNamespaces(parts),
  getNamespace(parts),
  namespaceExists(parts),
];
