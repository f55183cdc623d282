import type { UserProfile, UserReader } from '../../../../../application/identity/ports/identity-readers.js';
import type { KeyReader } from '../../../../../application/keys/ports/key-ports.js';
import type { UserKeys } from '../../../../../application/keys/user-keys.js';
import type { UserKey } from '../../../../../domain/keys/ssh-key.js';
import { NotFound, Unauthenticated } from '../../../../../domain/shared/domain-error.js';
import { identifierIn, type UserId } from '../../../../../domain/shared/identifiers.js';
import { pagedList } from '../../kit/paged-list.js';
import { route, type Decide, type Route } from '../../route.js';
import { parameters, pathId, type ParametersOf } from '../../validation/parameters.js';
import type { WebUrls } from '../../web-urls.js';
import { findUser } from '../users/find-user.js';
import { KeySchema, NEW_KEY, presentKey } from './key-schema.js';

export interface UserKeyRoutesParts {
  readonly users: UserReader;
  readonly keyReader: KeyReader;
  readonly userKeys: UserKeys;
  readonly urls: WebUrls;
}
type Parts = UserKeyRoutesParts;

const TAG = 'SSH keys';
const KEY_ID = pathId('Numeric id of the key');
const USER_ID = pathId('Numeric id, or name of the user');

const fieldsOf = ({ title, key, expires_at }: ParametersOf<typeof NEW_KEY>) => ({
  title,
  key,
  expiresAt: expires_at ?? null,
});

const findByIdOrName = async ({ users }: Parts, id: string | undefined): Promise<UserProfile> => {
  if (identifierIn<UserId>(id) !== undefined) return findUser(users, id);
  const user = await users.findByUsername(id ?? '');
  if (user === undefined) throw new NotFound('User');
  return user;
};

const findKey = async ({ keyReader }: Parts, userId: UserId, id: string | undefined): Promise<UserKey> => {
  const keyId = identifierIn(id);
  const key = keyId === undefined ? undefined : await keyReader.findOfUser(userId, keyId);
  if (key === undefined) throw new NotFound('Key');
  return key;
};

interface OwnedKey {
  readonly owner: UserProfile;
  readonly key: UserKey;
}

const ownKey =
  (parts: Parts): Decide<OwnedKey, 'user'> =>
  async ({ actor, path }) => {
    const owner = await parts.users.find(actor.id);
    if (owner === undefined) throw new Unauthenticated();
    return { owner, key: await findKey(parts, owner.id, path['key_id']) };
  };

const keyOfUser =
  (parts: Parts): Decide<OwnedKey> =>
  async ({ path }) => {
    const owner = await findByIdOrName(parts, path['id']);
    return { owner, key: await findKey(parts, owner.id, path['key_id']) };
  };

const show = ({ urls }: Parts, { owner, key }: OwnedKey) => presentKey(key, owner.name, urls);

const listOwnKeys = (parts: Parts) =>
  pagedList({
    path: '/user/keys',
    operationId: 'listOwnKeys',
    summary: 'Your SSH keys',
    tag: TAG,
    access: 'user',
    scopes: ['read_user'],
    parameters: {},
    items: KeySchema,
    guard: ({ actor }) => findUser(parts.users, String(actor.id)),
    read: ({ actor, page }) => parts.keyReader.listOfUser(actor.id, page),
    present: (key, { subject: owner }) => show(parts, { owner, key }),
  });

const getOwnKey = (parts: Parts) =>
  route({
    method: 'get',
    path: '/user/keys/:key_id',
    operationId: 'getOwnKey',
    summary: 'One of your SSH keys',
    tag: TAG,
    access: 'user',
    scopes: ['read_user'],
    parameters: parameters({ key_id: KEY_ID }),
    responses: { 200: KeySchema },
    guard: ownKey(parts),
    handle: ({ subject }) => Promise.resolve({ body: show(parts, subject) }),
  });

const addOwnKey = (parts: Parts) =>
  route({
    method: 'post',
    path: '/user/keys',
    operationId: 'addOwnKey',
    summary: 'Add an SSH key',
    description: 'Your primary address is told. A key belongs to one user, or is a deploy key.',
    tag: TAG,
    access: 'user',
    sensitive: 'add keys',
    parameters: parameters(NEW_KEY),
    responses: { 201: KeySchema },
    guard: ({ actor }) => findUser(parts.users, String(actor.id)),
    handle: async ({ actor, subject: owner, parameters: fields, request }) => {
      const key = await parts.userKeys.add(actor, owner.id, fieldsOf(fields), request.ip ?? null);
      return { status: 201, body: show(parts, { owner, key }) };
    },
  });

const removeOwnKey = (parts: Parts) =>
  route({
    method: 'delete',
    path: '/user/keys/:key_id',
    operationId: 'removeOwnKey',
    summary: 'Remove one of your SSH keys',
    tag: TAG,
    access: 'user',
    parameters: parameters({ key_id: KEY_ID }),
    responses: { 204: null },
    guard: ownKey(parts),
    handle: async ({ actor, subject: { owner, key } }) => {
      await parts.userKeys.remove(actor, owner.id, key.id);
      return { status: 204 };
    },
  });

const listKeysOfUser = (parts: Parts) =>
  pagedList({
    path: '/users/:id/keys',
    operationId: 'listKeysOfUser',
    summary: 'SSH keys of a user',
    tag: TAG,
    access: 'anyone',
    scopes: 'any',
    parameters: { id: USER_ID },
    items: KeySchema,
    guard: ({ path }) => findByIdOrName(parts, path['id']),
    read: ({ subject, page }) => parts.keyReader.listOfUser(subject.id, page),
    present: (key, { subject: owner }) => show(parts, { owner, key }),
  });

const getKeyOfUser = (parts: Parts) =>
  route({
    method: 'get',
    path: '/users/:id/keys/:key_id',
    operationId: 'getKeyOfUser',
    summary: 'One SSH key of a user',
    tag: TAG,
    access: 'anyone',
    scopes: 'any',
    parameters: parameters({ id: USER_ID, key_id: KEY_ID }),
    responses: { 200: KeySchema },
    guard: keyOfUser(parts),
    handle: ({ subject }) => Promise.resolve({ body: show(parts, subject) }),
  });

const addKeyOfUser = (parts: Parts) =>
  route({
    method: 'post',
    path: '/users/:id/keys',
    operationId: 'addKeyOfUser',
    summary: 'Add an SSH key for a user, who is told by mail',
    tag: TAG,
    access: 'admin',
    sensitive: 'add keys',
    parameters: parameters({ id: USER_ID, ...NEW_KEY }),
    responses: { 201: KeySchema },
    guard: ({ path }) => findByIdOrName(parts, path['id']),
    handle: async ({ actor, subject: owner, parameters: fields, request }) => {
      const key = await parts.userKeys.add(actor, owner.id, fieldsOf(fields), request.ip ?? null);
      return { status: 201, body: show(parts, { owner, key }) };
    },
  });

const removeKeyOfUser = (parts: Parts) =>
  route({
    method: 'delete',
    path: '/users/:id/keys/:key_id',
    operationId: 'removeKeyOfUser',
    summary: 'Remove an SSH key of a user',
    tag: TAG,
    access: 'admin',
    parameters: parameters({ id: USER_ID, key_id: KEY_ID }),
    responses: { 204: null },
    guard: keyOfUser(parts),
    handle: async ({ actor, subject: { owner, key } }) => {
      await parts.userKeys.remove(actor, owner.id, key.id);
      return { status: 204 };
    },
  });

export const createUserKeyRoutes = (parts: Parts): readonly Route[] =>
  [listOwnKeys, getOwnKey, addOwnKey, removeOwnKey, listKeysOfUser, getKeyOfUser, addKeyOfUser, removeKeyOfUser].map(
    (make) => make(parts),
  );
