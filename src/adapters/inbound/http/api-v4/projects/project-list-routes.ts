import { Type } from '@sinclair/typebox';
import type { PageRequest } from '../../../../../domain/shared/page.js';
import { HttpError } from '../../http-error.js';
import { given } from '../../kit/given.js';
import { GROUP_ID, inGroup } from '../../kit/guards.js';
import { orNotFound } from '../../kit/or-not-found.js';
import { routesOf } from '../../kit/routes-of.js';
import { readPageRequest } from '../../pagination/page-headers.js';
import { refuseDeepPage } from '../../pagination/refuse-deep-page.js';
import { route, type RouteResult } from '../../route.js';
import { oneOf, pagedParameters, pathId } from '../../validation/parameters.js';
import { findUserByName } from '../users/find-user.js';
import { LIST, LIST_FILTERS, ShowProjects, type AskedProjects, type ShowProjectsParts } from './show-projects.js';

type Parts = ShowProjectsParts;

const TAG = 'Projects';

const { list } = routesOf({ tag: TAG });

/** From behind the last id of the page before, which is a parameter of the list itself: clients may begin anywhere. */
const pageById = async (parts: Parts, asked: AskedProjects): Promise<RouteResult> => {
  const { order_by: orderBy, sort } = asked.parameters;
  if (orderBy !== 'id') throw new HttpError(405, 'Keyset pagination is not yet available for this type of request');
  const { perPage } = asked.page;
  const page: PageRequest = { page: 1, perPage, counted: false };
  const { items, hasNext } = await new ShowProjects(parts).page({ ...asked, page });
  const cursor = hasNext ? items.at(-1)?.id.toString() : undefined;
  return {
    body: items,
    keyset: { perPage, parameter: sort === 'asc' ? 'id_after' : 'id_before', ...given({ cursor }) },
  };
};

const pageByNumber = async (parts: Parts, asked: AskedProjects): Promise<RouteResult> => {
  refuseDeepPage(asked.page, 'Project');
  const page = await new ShowProjects(parts).page(asked);
  return { body: page.items, page: { request: asked.page, of: page } };
};

export const listProjects = (parts: Parts) =>
  route({
    method: 'get',
    path: '/projects',
    operationId: 'listProjects',
    summary: 'Every project that you may see',
    description:
      'Works with and without a token; `membership=true` narrows it to your own. `pagination=keyset&order_by=id` pages by ids in `Link`.',
    tag: TAG,
    access: LIST.access,
    parameters: pagedParameters({
      ...LIST_FILTERS,
      pagination: oneOf(['legacy', 'keyset'], {
        default: 'legacy',
        description: 'By number, or by id with `order_by=id`',
      }),
    }),
    responses: { 200: Type.Array(LIST.items) },
    handle: ({ actor, parameters }) => {
      const read = parameters.pagination === 'keyset' ? pageById : pageByNumber;
      return read(parts, { actor, parameters, page: readPageRequest(parameters) });
    },
  });

export const listUserProjects = (parts: Parts) =>
  list('/users/:id/projects', 'listUserProjects', {
    ...LIST,
    summary: 'The projects in a person’s own namespace, as far as you may see them',
    parameters: { ...LIST_FILTERS, id: pathId('Id or user name') },
    guard: async ({ path }) => {
      const user = await findUserByName(parts.users, path['id']);
      return orNotFound(await parts.reader.findPersonalNamespace(user.id), 'User');
    },
    read: (asked) =>
      new ShowProjects(parts).page(asked, { within: { namespaceId: asked.subject.id, includeSubgroups: false } }),
  });

export const listGroupProjects = (parts: Parts) =>
  list('/groups/:id/projects', 'listGroupProjects', {
    ...LIST,
    summary: 'The projects of a group, as far as you may see them',
    parameters: { ...LIST_FILTERS, id: GROUP_ID, include_subgroups: Type.Boolean({ default: false }) },
    guard: inGroup(parts.access, 'read_group'),
    read: (asked) => {
      const { include_subgroups: includeSubgroups } = asked.parameters;
      return new ShowProjects(parts).page(asked, { within: { namespaceId: asked.subject.group.id, includeSubgroups } });
    },
  });
