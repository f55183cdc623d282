import { checkEmail, checkName, checkPassword, checkUsername, type User } from '../../domain/identity/user.js';
import { NO_FAILURES } from '../../domain/identity/sign-in-lock.js';
import { isServiceAccount } from '../../domain/identity/service-account.js';
import { Forbidden, NotFound } from '../../domain/shared/domain-error.js';
import type { UserId } from '../../domain/shared/identifiers.js';
import { ProblemCollector } from '../../domain/shared/problem-collector.js';
import type { DomainEvents } from '../shared/domain-events.js';
import type { Clock } from '../shared/ports/clock.js';
import type { UnitOfWork } from '../shared/unit-of-work.js';
import type { AuthorizationCodeRepository, GrantRepository } from '../oauth/ports/oauth-repositories.js';
import type { NamespaceRepository } from '../workspace/ports/namespace-repository.js';
import { endAllAccess } from './end-all-access.js';
import type { PasswordHasher } from './ports/password-hasher.js';
import type { PersonalAccessTokenRepository } from './ports/personal-access-token-repository.js';
import type { SessionRepository } from './ports/session-repository.js';
import type { EmailRepository, UserChanges, UserRepository } from './ports/user-repository.js';
import { isPrivileged, type Requester } from './requester.js';

export interface EditUserCommand {
  readonly username?: string;
  readonly name?: string;
  /** Becomes the primary address, confirmed: the administrator vouches for it. */
  readonly email?: string;
  readonly password?: string;
  readonly admin?: boolean;
}

interface Needs {
  readonly users: UserRepository;
  readonly emails: EmailRepository;
  readonly sessions: SessionRepository;
  readonly namespaces: NamespaceRepository;
  readonly authorizationCodes: AuthorizationCodeRepository;
  readonly grants: GrantRepository;
  readonly personalAccessTokens: PersonalAccessTokenRepository;
  readonly events: DomainEvents;
}

/** What administrators and the operator do to people. Each throws Forbidden for anybody else and for accounts of the service, and NotFound "User". */
export class AdministerUsers {
  constructor(
    private readonly unitOfWork: UnitOfWork<Needs>,
    private readonly passwordHasher: PasswordHasher,
    private readonly clock: Clock,
  ) {}

  /**
   * A new password ends every session and token of the user.
   * @throws Invalid naming every problem; Conflict when the name or the address is taken.
   */
  async edit(requester: Requester, id: UserId, command: EditUserCommand): Promise<void> {
    checkEdit(command);
    const passwordHash = command.password === undefined ? undefined : await this.passwordHasher.hash(command.password);
    await this.#change(requester, id, async (repositories, user) => {
      const { username = user.username, name = user.name, admin = user.admin } = command;
      const password: UserChanges = passwordHash === undefined ? {} : { passwordHash, ...NO_FAILURES };
      await repositories.users.update(id, { username, name, admin, ...password });
      await repositories.namespaces.renamePersonal(id, username, name);
      if (passwordHash !== undefined) await endAllAccess(repositories, id, this.clock.now());
      if (command.email !== undefined) await this.#replacePrimary(repositories, id, command.email);
    });
  }

  /** Answers false when he was blocked already. His sessions end at once; his tokens are refused until he is unblocked. */
  async block(requester: Requester, id: UserId): Promise<boolean> {
    if (requester.kind === 'user' && requester.id === id) throw new Forbidden('You cannot block yourself');
    return this.#change(requester, id, async ({ users, sessions }, user) => {
      if (user.state === 'blocked') return false;
      await users.update(id, { state: 'blocked' });
      await sessions.removeAllOf(id);
      return true;
    });
  }

  async unblock(requester: Requester, id: UserId): Promise<void> {
    await this.#change(requester, id, ({ users }) => users.update(id, { state: 'active', ...NO_FAILURES }));
  }

  /**
   * With everything that is theirs alone: addresses, tokens, sessions, memberships, their namespace and its projects.
   * @throws Conflict naming the groups that would be left without an owner.
   */
  async remove(requester: Requester, id: UserId): Promise<void> {
    if (requester.kind === 'user' && requester.id === id) throw new Forbidden('You cannot remove yourself');
    await this.#change(requester, id, async ({ users, events }) => {
      // Held, so that nobody makes them an owner of something meanwhile.
      await users.take(id);
      await events.publish({ kind: 'account_removed', accountId: id });
      await users.remove(id);
    });
  }

  /** Ends every session and token of the user. */
  async resetPassword(requester: Requester, id: UserId, password: string): Promise<void> {
    await this.edit(requester, id, { password });
  }

  async disableTwoFactor(requester: Requester, id: UserId): Promise<void> {
    await this.#change(requester, id, async ({ users, sessions }) => {
      await users.update(id, { twoFactor: null });
      await sessions.removeAllOf(id);
    });
  }

  async #replacePrimary({ emails }: Needs, userId: UserId, address: string): Promise<void> {
    const now = this.clock.now();
    const known = (await emails.ofUser(userId)).find((email) => email.address === address);
    const email = known ?? (await emails.add({ userId, address, primary: false, confirmedAt: now, createdAt: now }));
    if (email.confirmedAt === null) await emails.confirm(email.id, now);
    await emails.makePrimary(email.id);
  }

  #change<Result>(
    requester: Requester,
    id: UserId,
    change: (repositories: Needs, user: User) => Promise<Result>,
  ): Promise<Result> {
    if (!isPrivileged(requester)) throw new Forbidden();
    return this.unitOfWork.execute(async (repositories) => {
      const user = await repositories.users.find(id);
      if (user === undefined) throw new NotFound('User');
      if (isServiceAccount(user)) throw new Forbidden('This account belongs to the service and stays as it is');
      return change(repositories, user);
    });
  }
}

const checkEdit = ({ username, name, email, password }: EditUserCommand): void => {
  const problems = new ProblemCollector();
  if (username !== undefined) checkUsername(problems, username);
  if (name !== undefined) checkName(problems, name);
  if (email !== undefined) checkEmail(problems, email);
  if (password !== undefined) checkPassword(problems, password);
  problems.refuse();
};
