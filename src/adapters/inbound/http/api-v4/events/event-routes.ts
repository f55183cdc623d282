import { Type, type Static } from '@sinclair/typebox';
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
import { NotFound } from '../../../../../domain/shared/domain-error.js';
import { MAX_OFFSET } from '../../../../../domain/shared/page.js';
import { mapBatches } from '../../../../../application/shared/page-in-batches.js';
import { HttpError } from '../../http-error.js';
import { keysetParameters, type Cursors } from '../../pagination/cursor.js';
import { readPageRequest } from '../../pagination/page-headers.js';
import { route, type Route, type RouteResult } from '../../route.js';
import { day, oneOf, pagedParameters, pathId, text } from '../../validation/parameters.js';
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

const TAG = 'Events';
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

type Given = Static<ReturnType<typeof pagedParameters<typeof FILTERS>>>;

/** What a cursor is good for: the list with its filters, whatever the page. */
const nameOf = ({ path, query }: Request, { action, target_type, before, after, sort }: Given): string =>
  JSON.stringify([path, query['scope'] === 'all', action, target_type, before, after, sort]);

/** The three lists of activity events (specification, "Activity events"). */
export const createEventRoutes = (parts: EventRoutesParts): readonly Route[] => {
  const { activityReader, access, users, cursors, clock, retentionDays, urls } = parts;

  const queryOf = (actor: UserActor, feed: Feed, given: Given): ActivityQuery => ({
    viewer: access.viewer(actor),
    feed,
    sort: given.sort,
    filter: {
      ...(given.action === undefined ? {} : { action: given.action }),
      ...(given.target_type === undefined ? {} : { targetType: given.target_type }),
      ...between(keptSince(clock.now(), retentionDays), given),
    },
  });

  const byCursor = async (
    actor: UserActor,
    query: ActivityQuery,
    given: Given,
    request: Request,
  ): Promise<RouteResult> => {
    const { perPage } = readPageRequest(given);
    const list = nameOf(request, given);
    const after = given.cursor === undefined ? undefined : cursors.open(given.cursor, list, actor.id);
    const { batches, last, hasNext } = await activityReader.listAfter(query, after, perPage);
    const next = hasNext && last !== undefined ? { cursor: cursors.seal(last, list, actor.id) } : {};
    return { batches: mapBatches(batches, (event) => presentEvent(event, urls)), keyset: { perPage, ...next } };
  };

  const byNumber = async (query: ActivityQuery, given: Given): Promise<RouteResult> => {
    const request = readPageRequest(given);
    if ((request.page - 1) * request.perPage > MAX_OFFSET)
      throw new HttpError(
        405,
        `Offset pagination has a maximum allowed offset of ${MAX_OFFSET} for requests that return objects of type Event. ` +
          'Remaining records can be retrieved using keyset pagination.',
      );
    const page = await activityReader.listPage(query, request);
    return { batches: mapBatches(page.batches, (event) => presentEvent(event, urls)), page: { request, of: page } };
  };

  const answer = (actor: UserActor, feed: Feed, given: Given, request: Request): Promise<RouteResult> => {
    const query = queryOf(actor, feed, given);
    const keyset = given.pagination === 'keyset' || given.cursor !== undefined;
    return keyset ? byCursor(actor, query, given, request) : byNumber(query, given);
  };

  const findByIdOrName = async (id: string | undefined): Promise<UserProfile> => {
    if (id !== undefined && /^\d{1,15}$/.test(id)) return findUser(users, id);
    const user = await users.findByUsername(id ?? '');
    if (user === undefined) throw new NotFound('User');
    return user;
  };

  const ofCaller = route({
    method: 'get',
    path: '/events',
    operationId: 'listEvents',
    summary: 'What the caller did, or with `scope=all` what everybody did in his projects',
    description: DESCRIPTION,
    tag: TAG,
    since: '9.3',
    access: 'user',
    scopes: ['read_user'],
    parameters: pagedParameters({
      ...FILTERS,
      scope: Type.Optional(text(255, '`all`: of everybody in the projects that the caller is a member of')),
    }),
    responses: { 200: Type.Array(EventSchema) },
    handle: ({ actor, parameters: given, request }) =>
      answer(
        actor,
        given.scope === 'all' ? { kind: 'memberships' } : { kind: 'author', authorId: actor.id },
        given,
        request,
      ),
  });

  const ofUser = route({
    method: 'get',
    path: '/users/:id/events',
    operationId: 'listUserEvents',
    summary: 'What a user did, as far as the caller may see it',
    description: DESCRIPTION,
    tag: TAG,
    since: '9.3',
    access: 'user',
    scopes: ['read_user'],
    parameters: pagedParameters({ id: pathId('Numeric id or name of the user'), ...FILTERS }),
    responses: { 200: Type.Array(EventSchema) },
    guard: ({ path }) => findByIdOrName(path['id']),
    handle: ({ actor, subject: { id }, parameters: given, request }) =>
      answer(actor, { kind: 'author', authorId: id }, given, request),
  });

  const ofProject = route({
    method: 'get',
    path: '/projects/:project_id/events',
    operationId: 'listProjectEvents',
    summary: 'What was done in a project, as far as the caller may see it',
    description: DESCRIPTION,
    tag: TAG,
    since: '9.3',
    access: 'user',
    scopes: ['read_user'],
    parameters: pagedParameters({ project_id: pathId('Number, or URL-encoded path of the project'), ...FILTERS }),
    responses: { 200: Type.Array(EventSchema) },
    guard: ({ actor, path }) => access.project(actor, path['project_id'], 'read_project'),
    handle: ({ actor, subject: { project, level }, parameters: given, request }) =>
      answer(actor, { kind: 'project', projectId: project.id, level }, given, request),
  });

  return [ofCaller, ofUser, ofProject];
};
