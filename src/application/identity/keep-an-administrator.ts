import { Conflict } from '../../domain/shared/domain-error.js';
import type { UserId } from '../../domain/shared/identifiers.js';
import type { UserRepository } from './ports/user-repository.js';

interface Needs {
  readonly users: Pick<UserRepository, 'takeWithAdministrators'>;
}

/**
 * The one place that keeps this rule: an installation with an active administrator never loses its last one. Every work that demotes,
 * blocks or removes an account calls this first. The lock is the rows of all active administrators and of the account.
 * @throws Conflict when this account is the last active administrator.
 */
export const keepAnAdministrator = async ({ users }: Needs, id: UserId): Promise<void> => {
  const administrators = (await users.takeWithAdministrators(id)).filter(
    ({ admin, state }) => admin && state === 'active',
  );
  const [only] = administrators;
  if (administrators.length === 1 && only?.id === id)
    throw new Conflict(`${only.username} is the last administrator. Make somebody else an administrator first.`);
};
