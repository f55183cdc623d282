import { Type } from '@sinclair/typebox';
import { profileOf } from '../../../../../application/identity/authenticate.js';
import type { UserProfile, UserReader } from '../../../../../application/identity/ports/identity-readers.js';
import { isAdmin, userIdOf, type Actor } from '../../../../../application/shared/actor.js';
import { Unauthenticated } from '../../../../../domain/shared/domain-error.js';
import type { Page } from '../../../../../domain/shared/page.js';
import { routesOf } from '../../kit/routes-of.js';
import type { Route } from '../../route.js';
import { oneOf, pathId } from '../../validation/parameters.js';
import type { WebUrls } from '../../web-urls.js';
import { findUser } from './find-user.js';
import { presentFullUser, presentPublicUser } from './present-user.js';
import { FILTERS, filtersIn } from './user-filters.js';
import { FullUserSchema, PublicUserSchema } from './user-schema.js';

export interface UserRoutesParts {
  readonly users: UserReader;
  readonly urls: WebUrls;
}
type Parts = UserRoutesParts;

const { list, get } = routesOf({ tag: 'Users', scopes: ['read_user'] });

const AnyUserSchema = Type.Union([FullUserSchema, PublicUserSchema]);

/** What an access token is called is told to who sees its bot among members or in what it did, and not to everybody. */
const withoutNameOfToken = (user: UserProfile): UserProfile =>
  user.bot === null ? user : { ...user, name: user.username };

const presentFor = (actor: Actor, user: UserProfile, urls: WebUrls) =>
  isAdmin(actor) || userIdOf(actor) === user.id
    ? presentFullUser(user, urls)
    : presentPublicUser(withoutNameOfToken(user), urls);

const NOBODY: Page<UserProfile> = { items: [], total: 0, hasNext: false };

export const getCurrentUser = ({ users, urls }: Parts) =>
  get('/user', 'getCurrentUser', {
    summary: 'The user whose token this is',
    access: 'user',
    parameters: {},
    answer: FullUserSchema,
    handle: async ({ actor }) => {
      const user = profileOf(actor) ?? (await users.find(actor.id));
      if (user === undefined) throw new Unauthenticated();
      return presentFullUser(user, urls);
    },
  });

export const listUsers = ({ users, urls }: Parts) =>
  list('/users', 'listUsers', {
    summary: 'All users',
    access: 'user',
    parameters: {
      ...FILTERS,
      order_by: oneOf(['id', 'name', 'username', 'created_at'], { default: 'id' }),
      sort: oneOf(['asc', 'desc'], { default: 'desc' }),
    },
    items: AnyUserSchema,
    read: ({ actor, parameters: { order_by: orderBy, sort, ...sent }, page }) => {
      const filters = filtersIn(sent, actor);
      return filters === undefined ? Promise.resolve(NOBODY) : users.list({ ...filters, orderBy, sort, page });
    },
    present: (user, { actor }) => presentFor(actor, user, urls),
  });

export const getUser = ({ users, urls }: Parts) =>
  get('/users/:id', 'getUser', {
    summary: 'One user',
    access: 'user',
    parameters: { id: pathId('Numeric id of the user') },
    answer: AnyUserSchema,
    guard: ({ path }) => findUser(users, path['id']),
    handle: ({ actor, subject }) => presentFor(actor, subject, urls),
  });

export const createUserRoutes = (parts: Parts): readonly Route[] =>
  [getCurrentUser, listUsers, getUser].map((make) => make(parts));
