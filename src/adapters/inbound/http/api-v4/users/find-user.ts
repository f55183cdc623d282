import type { UserProfile, UserReader } from '../../../../../application/identity/ports/identity-readers.js';
import { identifierIn, type UserId } from '../../../../../domain/shared/identifiers.js';
import { orNotFound } from '../../kit/or-not-found.js';

/** @throws NotFound "User" unless `id` is the numeric id of one. */
export const findUser = async (users: UserReader, id: string | undefined): Promise<UserProfile> =>
  orNotFound(await users.find(orNotFound(identifierIn<UserId>(id), 'User')), 'User');

/** The same for a path that takes user names, too. */
export const findUserByName = async (users: UserReader, name = ''): Promise<UserProfile> =>
  (/^\d+$/.test(name) ? undefined : await users.findByUsername(name)) ?? findUser(users, name);
