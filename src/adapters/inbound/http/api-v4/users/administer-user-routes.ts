import { Type } from '@sinclair/typebox';
import type { Request } from 'express';
import type { AdministerUsers } from '../../../../../application/identity/administer-users.js';
import type { CreateUser } from '../../../../../application/identity/create-user.js';
import type { UserReader } from '../../../../../application/identity/ports/identity-readers.js';
import type { OfferedPassword } from '../../../../../application/identity/ports/password-hasher.js';
import type { SecretSource } from '../../../../../application/shared/ports/secrets.js';
import { BadRequest, Invalid } from '../../../../../domain/shared/domain-error.js';
import { routesOf } from '../../kit/routes-of.js';
import type { LimitSignIn } from '../../middleware/sign-in-limit.js';
import { route, type GuardContext, type Route } from '../../route.js';
import { parameters, pathId, text } from '../../validation/parameters.js';
import type { WebUrls } from '../../web-urls.js';
import { findUser } from './find-user.js';
import { presentFullUser } from './present-user.js';
import { FullUserSchema } from './user-schema.js';

export interface AdministerUserRoutesParts {
  readonly users: UserReader;
  readonly createUser: CreateUser;
  readonly administerUsers: AdministerUsers;
  readonly secrets: SecretSource;
  readonly limitSignIn: LimitSignIn;
  readonly urls: WebUrls;
}
type Parts = AdministerUserRoutesParts;

const ONE = '/users/:id';
const IN_PATH = { id: pathId('Numeric id of the user') };

const { post, put, remove } = routesOf({ tag: 'Users' });

const named =
  ({ users }: Parts) =>
  ({ path }: GuardContext) =>
    findUser(users, path['id']);

const show = async ({ users, urls }: Parts, id: number) => presentFullUser(await findUser(users, String(id)), urls);

interface PasswordChoice {
  readonly password?: string;
  readonly reset_password?: boolean;
  readonly force_random_password?: boolean;
}

/** A password given, none until the mailed link is followed, or one that nobody knows. */
const choosePassword = (secrets: SecretSource, chosen: PasswordChoice): { password?: string } => {
  const { password, reset_password, force_random_password } = chosen;
  if (password !== undefined) return { password };
  if (reset_password === true) return {};
  if (force_random_password === true) return { password: secrets.token() };
  throw new Invalid({ password: ["can't be blank"] });
};

/** A password is hashed for the address that sends it, and counted there. */
const offer = async (
  { limitSignIn }: Parts,
  request: Request,
  password: string | undefined,
): Promise<{ password?: OfferedPassword }> =>
  password === undefined ? {} : { password: (await limitSignIn(request))(password) };

export const createUser = (parts: Parts) =>
  post('/users', 'createUser', {
    summary: 'Create a user',
    description: 'One of `password`, `reset_password` and `force_random_password` is needed.',
    access: 'admin',
    sensitive: 'create users',
    parameters: {
      email: text(254),
      username: text(255),
      name: text(255),
      password: Type.Optional(text(1_000)),
      reset_password: Type.Optional(Type.Boolean({ description: 'Mail a link to set a password' })),
      force_random_password: Type.Optional(Type.Boolean({ description: 'Set a password that nobody knows' })),
      admin: Type.Boolean({ default: false }),
      skip_confirmation: Type.Optional(Type.Boolean({ description: 'The address counts as confirmed at once' })),
      confirm: Type.Optional(Type.Boolean({ deprecated: true, description: 'Use `skip_confirmation`, its opposite' })),
    },
    answer: FullUserSchema,
    handle: async ({ actor, parameters: given, request }) => {
      const { email, username, name, admin, skip_confirmation, confirm } = given;
      const { password } = choosePassword(parts.secrets, given);
      const user = await parts.createUser.execute(actor, {
        email,
        username,
        name,
        admin,
        skipConfirmation: skip_confirmation ?? confirm === false,
        sendPasswordLink: given.reset_password === true,
        ...(await offer(parts, request, password)),
      });
      return show(parts, user.id);
    },
  });

export const editUser = (parts: Parts) =>
  put(ONE, 'editUser', {
    summary: 'Change a user',
    description:
      'A token never changes the `password` or the `email` of its own person: they do that on the pages of their profile.',
    access: 'admin',
    sensitive: 'change how others sign in, or who is an administrator',
    parameters: {
      ...IN_PATH,
      email: Type.Optional(text(254, 'Becomes the primary address, confirmed')),
      username: Type.Optional(text(255)),
      name: Type.Optional(text(255)),
      password: Type.Optional(text(1_000)),
      admin: Type.Optional(Type.Boolean()),
    },
    answer: FullUserSchema,
    guard: named(parts),
    handle: async ({ actor, subject, parameters: { id: _id, password, ...changes }, request }) => {
      const offered = await offer(parts, request, password);
      await parts.administerUsers.edit(actor, subject.id, { ...changes, ...offered });
      return show(parts, subject.id);
    },
  });

export const removeUser = (parts: Parts) =>
  remove(ONE, 'removeUser', {
    summary: 'Remove a user with everything that is theirs alone',
    access: 'admin',
    sensitive: 'remove users',
    parameters: IN_PATH,
    guard: named(parts),
    handle: ({ actor, subject }) => parts.administerUsers.remove(actor, subject.id),
  });

export const blockUser = (parts: Parts) =>
  post(`${ONE}/block`, 'blockUser', {
    summary: 'Block a user: their sessions end and their tokens are refused',
    description: '`null` when they were blocked already.',
    access: 'admin',
    sensitive: 'block users',
    parameters: IN_PATH,
    answer: Type.Union([Type.Literal(true), Type.Null()]),
    guard: named(parts),
    handle: async ({ actor, subject }) => ((await parts.administerUsers.block(actor, subject.id)) ? true : null),
  });

export const unblockUser = (parts: Parts) =>
  post(`${ONE}/unblock`, 'unblockUser', {
    summary: 'Let a blocked user in again',
    description: '`false` when they were not blocked.',
    access: 'admin',
    sensitive: 'unblock users',
    parameters: IN_PATH,
    answer: Type.Boolean(),
    guard: named(parts),
    handle: ({ actor, subject }) => parts.administerUsers.unblock(actor, subject.id),
  });

export const disableTwoFactor = (parts: Parts) =>
  route({
    method: 'patch',
    path: `${ONE}/disable_two_factor`,
    operationId: 'disableTwoFactor',
    summary: 'Let a user who lost their second factor sign in without it; their sessions end',
    tag: 'Users',
    access: 'admin',
    sensitive: 'turn off the second factor of others',
    parameters: parameters(IN_PATH),
    responses: { 204: null },
    guard: named(parts),
    handle: async ({ actor, subject }) => {
      if (!subject.twoFactorEnabled) throw new BadRequest('Two-factor authentication is not enabled for this user');
      await parts.administerUsers.disableTwoFactor(actor, subject.id);
      return { status: 204 };
    },
  });

export const createAdministerUserRoutes = (parts: Parts): readonly Route[] =>
  [createUser, editUser, removeUser, blockUser, unblockUser, disableTwoFactor].map((make) => make(parts));
