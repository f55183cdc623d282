import { NotFound } from '../../domain/shared/domain-error.js';
import type { UserId } from '../../domain/shared/identifiers.js';
import type { UserRepository } from '../identity/ports/user-repository.js';

/**
 * Holds whoever makes a project or group, which refers to them. People are held before groups: who renames or removes an account holds it,
 * and then its namespace.
 * @throws NotFound "User" for one that has just been removed.
 */
export const holdMaker = async (
  { users }: { readonly users: Pick<UserRepository, 'take'> },
  id: UserId,
): Promise<void> => {
  if ((await users.take(id)) === undefined) throw new NotFound('User');
};
