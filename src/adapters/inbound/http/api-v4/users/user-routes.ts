import { type UserId, identifierIn } from '../../../../../domain/shared/identifiers.js';
import { Type } from '@sinclair/typebox';
import type { UserProfile, UserReader } from '../../../../../application/identity/ports/identity-readers.js';
import { isAdmin, userIdOf, type Actor } from '../../../../../application/shared/actor.js';
import { NotFound, Unauthenticated } from '../../../../../domain/shared/domain-error.js';
import { readPageRequest } from '../../pagination/page-headers.js';
import { route, type Route } from '../../route.js';
import { oneOf, pagedParameters, parameters, pathId, text } from '../../validation/parameters.js';
import type { WebUrls } from '../../web-urls.js';
import { presentBasicUser, presentFullUser } from './present-user.js';
import { BasicUserSchema, FullUserSchema } from './user-schema.js';

export interface UserRoutesParts {
  readonly users: UserReader;
  readonly urls: WebUrls;
}

const TAG = 'Users';

/** @throws NotFound "User" unless `id` is the numeric id of one. */
export const findUser = async (users: UserReader, id: string | undefined): Promise<UserProfile> => {
  const userId = identifierIn<UserId>(id);
  const user = userId === undefined ? undefined : await users.find(userId);
  if (user === undefined) throw new NotFound('User');
  return user;
};

/** The same for a path that takes user names, too. */
export const findUserByName = async (users: UserReader, name = ''): Promise<UserProfile> =>
  (/^\d+$/.test(name) ? undefined : await users.findByUsername(name)) ?? findUser(users, name);

export const createUserRoutes = ({ users, urls }: UserRoutesParts): readonly Route[] => {
  const presentFor = (actor: Actor, user: UserProfile) =>
    isAdmin(actor) || userIdOf(actor) === user.id ? presentFullUser(user, urls) : presentBasicUser(user, urls);

  const currentUser = route({
    method: 'get',
    path: '/user',
    operationId: 'getCurrentUser',
    summary: 'The user whose token this is',
    tag: TAG,
    access: 'user',
    scopes: ['read_user'],
    parameters: parameters({}),
    responses: { 200: FullUserSchema },
    handle: async ({ actor }) => {
      const user = await users.find(actor.id);
      if (user === undefined) throw new Unauthenticated();
      return { body: presentFullUser(user, urls) };
    },
  });

  const listUsers = route({
    method: 'get',
    path: '/users',
    operationId: 'listUsers',
    summary: 'All users',
    tag: TAG,
    access: 'user',
    scopes: ['read_user'],
    parameters: pagedParameters({
      username: Type.Optional(text(255, 'The user of exactly this name; case does not count')),
      search: Type.Optional(text(255, 'Part of a name or user name')),
      active: Type.Optional(Type.Boolean({ description: 'Only users who may sign in' })),
      blocked: Type.Optional(Type.Boolean({ description: 'Only blocked users' })),
      order_by: oneOf(['id', 'name', 'username', 'created_at'], { default: 'id' }),
      sort: oneOf(['asc', 'desc'], { default: 'desc' }),
    }),
    responses: { 200: Type.Array(Type.Union([FullUserSchema, BasicUserSchema])) },
    handle: async ({ actor, parameters: { username, search, active, blocked, order_by, sort, ...paging } }) => {
      const request = readPageRequest(paging);
      const page = await users.list({
        ...(username === undefined ? {} : { username }),
        ...(search === undefined ? {} : { search }),
        ...(active === true ? { state: 'active' as const } : {}),
        ...(blocked === true ? { state: 'blocked' as const } : {}),
        orderBy: order_by,
        sort,
        page: request,
      });
      return { body: page.items.map((user) => presentFor(actor, user)), page: { request, of: page } };
    },
  });

  const getUser = route({
    method: 'get',
    path: '/users/:id',
    operationId: 'getUser',
    summary: 'One user',
    tag: TAG,
    access: 'user',
    scopes: ['read_user'],
    parameters: parameters({ id: pathId('Numeric id of the user') }),
    responses: { 200: Type.Union([FullUserSchema, BasicUserSchema]) },
    guard: ({ path }) => findUser(users, path['id']),
    handle: ({ actor, subject }) => Promise.resolve({ body: presentFor(actor, subject) }),
  });

  return [currentUser, listUsers, getUser];
};
