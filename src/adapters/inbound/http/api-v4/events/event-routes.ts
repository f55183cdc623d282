import { Type } from '@sinclair/typebox';
import type { Request } from 'express';
import {
  type ActivityQuery,
  type ActivityReader,
  type Feed,
} from '../../../../../application/activity/ports/activity-reader.js';
import type { UserProfile, UserReader } from '../../../../../application/identity/ports/identity-readers.js';
import type { UserActor } from '../../../../../application/shared/actor.js';
import type { Clock } from '../../../../../application/shared/ports/clock.js';
import type { WorkspaceAccess } from '../../../../../application/workspace/workspace-access.js';
import { ACTIONS, TARGET_TYPES } from '../../../../../domain/activity/activity-event.js';
import { between, keptSince } from '../../../../../domain/activity/event-filter.js';
import { mapBatches } from '../../../../../application/shared/page-in-batches.js';
import { keysetParameters, type Cursors } from '../../pagination/cursor.js';
import { given } from '../../kit/given.js';
import { orNotFound } from '../../kit/or-not-found.js';
import { readPageRequest } from '../../pagination/page-headers.js';
import { refuseDeepPage } from '../../pagination/refuse-deep-page.js';
import { route, type Route, type RouteResult } from '../../route.js';
import {
  day,
  oneOf,
  pagedParameters,
  pathId,
  text,
  type ParametersOf,
  type PagingParameters,
} from '../../validation/parameters.js';
import type { WebUrls } from '../../web-urls.js';
import { findUser } from '../users/find-user.js';
import { EventSchema, presentEvent } from './event-schema.js';

export interface EventRoutesParts {
  readonly activityReader: ActivityReader;
  readonly access: WorkspaceAccess;
  readonly users: UserReader;
  readonly cursors: Cursors;
  readonly clock: Clock;
  readonly retentionDays: number | undefined;
  readonly urls: WebUrls;
}

type Parts = EventRoutesParts;

const DESCRIPTION =
  'Newest first. `before` and `after` leave out the given days themselves (UTC). `pagination=keyset` pages by cursors in `Link`.';

const FILTERS = {
  action: Type.Optional(oneOf(ACTIONS)),
  target_type: Type.Optional(oneOf(TARGET_TYPES)),
  before: Type.Optional(day('Only what happened before this day')),
  after: Type.Optional(day('Only what happened after this day')),
  sort: oneOf(['asc', 'desc'], { default: 'desc' }),
  ...keysetParameters,
};

type Filters = ParametersOf<typeof FILTERS> & PagingParameters;

/** What all of the three lists have. */
const LIST = {
  method: 'get',
  description: DESCRIPTION,
  tag: 'Events',
  since: '9.3',
  access: 'user',
  scopes: ['read_user'],
  responses: { 200: Type.Array(EventSchema) },
} as const;

/** A list that is asked for. */
interface Asked {
  readonly actor: UserActor;
  readonly parameters: Filters;
  readonly request: Request;
}

/** What a cursor is good for: the list with its filters, whatever the page. */
const nameOf = ({ path, query }: Request, { action, target_type, before, after, sort }: Filters): string =>
  JSON.stringify([path, query['scope'] === 'all', action, target_type, before, after, sort]);

const queryOf = ({ access, clock, retentionDays }: Parts, { actor, parameters }: Asked, feed: Feed): ActivityQuery => {
  const { action, target_type: targetType, sort } = parameters;
  const span = between(keptSince(clock.now(), retentionDays), parameters);
  return { viewer: access.viewer(actor), feed, sort, filter: { ...given({ action, targetType }), ...span } };
};

const byCursor = async (parts: Parts, query: ActivityQuery, asked: Asked): Promise<RouteResult> => {
  const { actor, parameters, request } = asked;
  const { perPage } = readPageRequest(parameters);
  const list = nameOf(request, parameters);
  const after = parameters.cursor === undefined ? undefined : parts.cursors.open(parameters.cursor, list, actor.id);
  const { batches, last, hasNext } = await parts.activityReader.listAfter(query, after, perPage);
  const cursor = hasNext && last !== undefined ? parts.cursors.seal(last, list, actor.id) : undefined;
  return {
    batches: mapBatches(batches, (event) => presentEvent(event, parts.urls)),
    keyset: { perPage, ...given({ cursor }) },
  };
};

const byNumber = async (parts: Parts, query: ActivityQuery, { parameters }: Asked): Promise<RouteResult> => {
  const request = readPageRequest(parameters);
  refuseDeepPage(request, 'Event');
  const page = await parts.activityReader.listPage(query, request);
  return { batches: mapBatches(page.batches, (event) => presentEvent(event, parts.urls)), page: { request, of: page } };
};

const answer = (parts: Parts, asked: Asked, feed: Feed): Promise<RouteResult> => {
  const { pagination, cursor } = asked.parameters;
  const read = pagination === 'keyset' || cursor !== undefined ? byCursor : byNumber;
  return read(parts, queryOf(parts, asked, feed), asked);
};

const findByIdOrName = async (users: UserReader, id: string | undefined): Promise<UserProfile> => {
  if (id !== undefined && /^\d{1,15}$/.test(id)) return findUser(users, id);
  return orNotFound(await users.findByUsername(id ?? ''), 'User');
};

export const listEvents = (parts: Parts) =>
  route({
    ...LIST,
    path: '/events',
    operationId: 'listEvents',
    summary: 'What the caller did, or with `scope=all` what everybody did in their projects',
    parameters: pagedParameters({
      ...FILTERS,
      scope: Type.Optional(text(255, '`all`: of everybody in the projects that the caller is a member of')),
    }),
    handle: (asked) => {
      const everybody = asked.parameters.scope === 'all';
      return answer(parts, asked, everybody ? { kind: 'memberships' } : { kind: 'author', authorId: asked.actor.id });
    },
  });

export const listUserEvents = (parts: Parts) =>
  route({
    ...LIST,
    path: '/users/:id/events',
    operationId: 'listUserEvents',
    summary: 'What a user did, as far as the caller may see it',
    parameters: pagedParameters({ id: pathId('Numeric id or name of the user'), ...FILTERS }),
    guard: ({ path }) => findByIdOrName(parts.users, path['id']),
    handle: (asked) => answer(parts, asked, { kind: 'author', authorId: asked.subject.id }),
  });

export const listProjectEvents = (parts: Parts) =>
  route({
    ...LIST,
    path: '/projects/:project_id/events',
    operationId: 'listProjectEvents',
    summary: 'What was done in a project, as far as the caller may see it',
    parameters: pagedParameters({ project_id: pathId('Number, or URL-encoded path of the project'), ...FILTERS }),
    guard: ({ actor, path }) => parts.access.project(actor, path['project_id'], 'read_project'),
    handle: (asked) => {
      const { project, level } = asked.subject;
      return answer(parts, asked, { kind: 'project', projectId: project.id, level });
    },
  });

export const createEventRoutes = (parts: Parts): readonly Route[] =>
  [listEvents, listUserEvents, listProjectEvents].map((make) => make(parts));
