import { Type } from '@sinclair/typebox';
import type { Request } from 'express';
import type { AdministerUsers } from '../../../../../application/identity/administer-users.js';
import type { CreateUser } from '../../../../../application/identity/create-user.js';
import type { UserReader } from '../../../../../application/identity/ports/identity-readers.js';
import { Invalid } from '../../../../../domain/shared/domain-error.js';
import type { OfferedPassword } from '../../../../../application/identity/ports/password-hasher.js';
import type { SecretSource } from '../../../../../application/shared/ports/secrets.js';
import { refuseSession } from '../../authentication/refuse-session.js';
import type { LimitSignIn } from '../../middleware/sign-in-limit.js';
import { route, type Route } from '../../route.js';
import { parameters, pathId, text } from '../../validation/parameters.js';
import type { WebUrls } from '../../web-urls.js';
import { presentFullUser } from './present-user.js';
import { findUser } from './user-routes.js';
import { FullUserSchema } from './user-schema.js';

export interface AdministerUserRoutesParts {
  readonly users: UserReader;
  readonly createUser: CreateUser;
  readonly administerUsers: AdministerUsers;
  readonly secrets: SecretSource;
  readonly limitSignIn: LimitSignIn;
  readonly urls: WebUrls;
}

const TAG = 'Users';
const USER_ID = pathId('Numeric id of the user');

interface PasswordChoice {
  readonly password?: string;
  readonly reset_password?: boolean;
  readonly force_random_password?: boolean;
}

export const createAdministerUserRoutes = (parts: AdministerUserRoutesParts): readonly Route[] => {
  const { users, createUser, administerUsers, secrets, limitSignIn, urls } = parts;

  /** A password given, none until the mailed link is followed, or one that nobody knows. */
  const choosePassword = ({
    password,
    reset_password,
    force_random_password,
  }: PasswordChoice): { password?: string } => {
    if (password !== undefined) return { password };
    if (reset_password === true) return {};
    if (force_random_password === true) return { password: secrets.token() };
    throw new Invalid({ password: ["can't be blank"] });
  };

  /** A password is hashed for the address that sends it, and counted there. */
  const offered = async (
    request: Request,
    { password }: { readonly password?: string },
  ): Promise<{ password?: OfferedPassword }> =>
    password === undefined ? {} : { password: (await limitSignIn(request))(password) };

  const present = async (id: number) => presentFullUser(await findUser(users, String(id)), urls);

  const postUser = route({
    method: 'post',
    path: '/users',
    operationId: 'createUser',
    summary: 'Create a user',
    description: 'One of `password`, `reset_password` and `force_random_password` is needed.',
    tag: TAG,
    access: 'admin',
    parameters: parameters({
      email: text(254),
      username: text(255),
      name: text(255),
      password: Type.Optional(text(1_000)),
      reset_password: Type.Optional(Type.Boolean({ description: 'Mail a link to set a password' })),
      force_random_password: Type.Optional(Type.Boolean({ description: 'Set a password that nobody knows' })),
      admin: Type.Boolean({ default: false }),
      skip_confirmation: Type.Optional(Type.Boolean({ description: 'The address counts as confirmed at once' })),
      confirm: Type.Optional(Type.Boolean({ deprecated: true, description: 'Use `skip_confirmation`, its opposite' })),
    }),
    responses: { 201: FullUserSchema },
    handle: async ({ actor, parameters: given, request }) => {
      refuseSession(actor, 'create users');
      const { email, username, name, admin, skip_confirmation, confirm } = given;
      const user = await createUser.execute(actor, {
        email,
        username,
        name,
        admin,
        skipConfirmation: skip_confirmation ?? confirm === false,
        sendPasswordLink: given.reset_password === true,
        ...(await offered(request, choosePassword(given))),
      });
      return { status: 201, body: await present(user.id) };
    },
  });

  const putUser = route({
    method: 'put',
    path: '/users/:id',
    operationId: 'editUser',
    summary: 'Change a user',
    description:
      'A token never changes the `password` or the `email` of its own person: they do that on the pages of their profile.',
    tag: TAG,
    access: 'admin',
    parameters: parameters({
      id: USER_ID,
      email: Type.Optional(text(254, 'Becomes the primary address, confirmed')),
      username: Type.Optional(text(255)),
      name: Type.Optional(text(255)),
      password: Type.Optional(text(1_000)),
      admin: Type.Optional(Type.Boolean()),
    }),
    responses: { 200: FullUserSchema },
    guard: ({ path }) => findUser(users, path['id']),
    handle: async ({ actor, subject, parameters: { id: _id, password, ...changes }, request }) => {
      if (password !== undefined || changes.email !== undefined || changes.admin !== undefined)
        refuseSession(actor, 'change how others sign in, or who is an administrator');
      const offer = await offered(request, password === undefined ? {} : { password });
      await administerUsers.edit(actor, subject.id, { ...changes, ...offer });
      return { body: await present(subject.id) };
    },
  });

  const deleteUser = route({
    method: 'delete',
    path: '/users/:id',
    operationId: 'removeUser',
    summary: 'Remove a user with everything that is theirs alone',
    tag: TAG,
    access: 'admin',
    parameters: parameters({ id: USER_ID }),
    responses: { 204: null },
    guard: ({ path }) => findUser(users, path['id']),
    handle: async ({ actor, subject }) => {
      await administerUsers.remove(actor, subject.id);
      return { status: 204 };
    },
  });

  const blockUser = route({
    method: 'post',
    path: '/users/:id/block',
    operationId: 'blockUser',
    summary: 'Block a user: their sessions end and their tokens are refused',
    description: '`null` when they were blocked already.',
    tag: TAG,
    access: 'admin',
    parameters: parameters({ id: USER_ID }),
    responses: { 201: Type.Union([Type.Literal(true), Type.Null()]) },
    guard: ({ path }) => findUser(users, path['id']),
    handle: async ({ actor, subject }) => ({
      status: 201,
      body: (await administerUsers.block(actor, subject.id)) ? true : null,
    }),
  });

  const unblockUser = route({
    method: 'post',
    path: '/users/:id/unblock',
    operationId: 'unblockUser',
    summary: 'Let a blocked user in again',
    description: '`false` when they were not blocked.',
    tag: TAG,
    access: 'admin',
    parameters: parameters({ id: USER_ID }),
    responses: { 201: Type.Boolean() },
    guard: ({ path }) => findUser(users, path['id']),
    handle: async ({ actor, subject }) => ({ status: 201, body: await administerUsers.unblock(actor, subject.id) }),
  });

  return [postUser, putUser, deleteUser, blockUser, unblockUser];
};
