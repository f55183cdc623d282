import {
  checkEmail,
  checkName,
  checkPassword,
  checkUsername,
  emailKey,
  recoveryAddresses,
  type User,
} from '../../domain/identity/user.js';
import { NO_FAILURES } from '../../domain/identity/sign-in-lock.js';
import { isServiceAccount } from '../../domain/identity/service-account.js';
import { Conflict, Forbidden, Invalid, NotFound } from '../../domain/shared/domain-error.js';
import type { UserId } from '../../domain/shared/identifiers.js';
import { ProblemCollector } from '../../domain/shared/problem-collector.js';
import type { Clock } from '../shared/ports/clock.js';
import type { UnitOfWork } from '../shared/unit-of-work.js';
import { keepAnAdministrator } from './keep-an-administrator.js';
import type { OneTimeLinks } from './one-time-links.js';
import { setNewPassword, type AccessRepositories } from './new-password.js';
import { holdAdministrator, type HeldAdministratorNeeds } from './operations/hold-administrator.js';
import { refuseUnlessPrivileged, type ActRequester } from './operations/sensitive-acts.js';
import type { OfferedPassword, PasswordHasher } from './ports/password-hasher.js';
import { ProvedPerson } from './prove-identity.js';
import { isSelf, type Requester } from './requester.js';
import type { SecurityLog, SecurityLogRepositories } from './security-log.js';

export interface EditUserCommand {
  readonly username?: string;
  readonly name?: string;
  /** Becomes the primary address, confirmed: the administrator vouches for it. */
  readonly email?: string;
  readonly password?: OfferedPassword;
  readonly admin?: boolean;
}

type Needs = AccessRepositories & SecurityLogRepositories & HeldAdministratorNeeds;

/**
 * What administrators and the operator do to people. Each throws Forbidden for anybody else, also for who is none any more when it is
 * stored (`holdAdministrator`), and for accounts of the service, and NotFound "User".
 */
export class AdministerUsers {
  constructor(
    private readonly unitOfWork: UnitOfWork<Needs>,
    private readonly passwordHasher: PasswordHasher,
    private readonly links: OneTimeLinks,
    private readonly securityLog: SecurityLog,
    private readonly clock: Clock,
  ) {}

  /**
   * A new password ends every session and token of the user. Nobody sets a password or the primary address of their own person so.
   * @throws Invalid naming every problem; Conflict when the name or the address is taken, or the last administrator would be none.
   */
  async edit(by: ActRequester, id: UserId, command: EditUserCommand): Promise<void> {
    refuseUnlessPrivileged(by);
    refuseOwn(by, id, command);
    checkEdit(command);
    const passwordHash = command.password === undefined ? undefined : await this.passwordHasher.hash(command.password);
    await this.#change(by, id, async (repositories, user, requester) => {
      const { username = user.username, name = user.name, admin } = command;
      refuseReserved(username, user.username);
      if (admin === false) await keepAnAdministrator(repositories, id);
      const at = this.clock.now();
      const source = await this.securityLog.sourceOf(repositories, requester, id, null);
      await repositories.users.update(id, { username, name, ...(admin === undefined ? {} : { admin }) });
      await repositories.events.publish({ kind: 'account_renamed', accountId: id, username, name });
      if (passwordHash !== undefined) {
        await setNewPassword(repositories, id, passwordHash, at, 'nothing');
        await this.securityLog.record(repositories, { user, act: 'change_password', source, at });
      }
      if (command.email === undefined) return;
      const act = { user, act: 'change_primary_email', subject: command.email, source, at } as const;
      await this.securityLog.record(repositories, act);
      await this.#replacePrimary(repositories, id, command.email);
    });
  }

  /**
   * Answers false when they were blocked already. Their sessions end at once; their tokens are refused until they are unblocked.
   * @throws Conflict for the last administrator.
   */
  async block(by: ActRequester, id: UserId): Promise<boolean> {
    if (idOf(by) === id) throw new Forbidden('You cannot block yourself');
    return this.#change(by, id, async (repositories, user) => {
      if (user.state === 'blocked') return false;
      await keepAnAdministrator(repositories, id);
      await repositories.users.update(id, { state: 'blocked' });
      await repositories.sessions.removeAllOf(id);
      await repositories.events.publish({ kind: 'account_blocked', accountId: id });
      return true;
    });
  }

  /** Ends the lock of wrong passwords, too. Answers false when they were not blocked. */
  async unblock(by: ActRequester, id: UserId): Promise<boolean> {
    return this.#change(by, id, async ({ users }, { state }) => {
      await users.update(id, { state: 'active', ...NO_FAILURES });
      return state === 'blocked';
    });
  }

  /**
   * With everything that is theirs alone: addresses, tokens, sessions, memberships, their namespace and its projects.
   * @throws Conflict for the last administrator, and naming the groups that would be left without an owner.
   */
  async remove(by: ActRequester, id: UserId): Promise<void> {
    if (idOf(by) === id) throw new Forbidden('You cannot remove yourself');
    await this.#change(by, id, async (repositories) => {
      // Locks the account as well, so that nobody makes them an owner of something meanwhile.
      await keepAnAdministrator(repositories, id);
      await repositories.events.publish({ kind: 'account_removed', accountId: id });
      await repositories.users.remove(id);
    });
  }

  /** Ends every session and token of the user. */
  async resetPassword(by: ActRequester, id: UserId, password: OfferedPassword): Promise<void> {
    await this.edit(by, id, { password });
  }

  /**
   * Mails a link for a new password to the primary address.
   * @throws Conflict for somebody who is blocked; Invalid where there is no address that it may go to.
   */
  async sendPasswordLink(by: ActRequester, id: UserId): Promise<void> {
    const link = this.links.make('reset_password', this.clock.now());
    await this.#change(by, id, async (repositories, user) => {
      if (user.state === 'blocked') throw new Conflict('This account is blocked: unblock it first');
      const recovery = recoveryAddresses(await repositories.emails.ofUser(id));
      const email = recovery.find(({ primary }) => primary);
      if (email === undefined) throw new Invalid({ email: ['is missing: set a primary address first'] });
      await link.send(repositories, user, email);
    });
  }

  async disableTwoFactor(by: ActRequester, id: UserId): Promise<void> {
    await this.#change(by, id, async (repositories, user, requester) => {
      const at = this.clock.now();
      await repositories.users.update(id, { twoFactor: null });
      await repositories.sessions.removeAllOf(id);
      const source = await this.securityLog.sourceOf(repositories, requester, id, null);
      await this.securityLog.record(repositories, { user, act: 'turn_off_two_factor', source, at });
    });
  }

  async #replacePrimary({ emails }: Needs, userId: UserId, address: string): Promise<void> {
    const now = this.clock.now();
    const known = (await emails.ofUser(userId)).find((email) => emailKey(email.address) === emailKey(address));
    const added = { userId, address, primary: false, confirmedAt: now, recoverySince: now, createdAt: now };
    const email = known ?? (await emails.add(added));
    if (email.confirmedAt === null) await emails.confirm(email.id, now);
    await emails.useForRecovery(email.id, now);
    await emails.makePrimary(email.id);
  }

  #change<Result>(
    by: ActRequester,
    id: UserId,
    change: (repositories: Needs, user: User, requester: Requester) => Promise<Result>,
  ): Promise<Result> {
    return this.unitOfWork.execute(async (repositories) => {
      const requester = await holdAdministrator(repositories, by, { now: this.clock.now(), about: id });
      const user = await repositories.users.find(id);
      if (user === undefined) throw new NotFound('User');
      if (isServiceAccount(user)) throw new Forbidden('This account belongs to the service and stays as it is');
      if (user.bot !== null)
        throw new Forbidden('This account belongs to an access token and ends with it: revoke the token');
      return change(repositories, user, requester);
    });
  }
}

const idOf = (by: ActRequester): UserId | undefined => {
  if (by instanceof ProvedPerson) return by.userId;
  return by.kind === 'user' ? by.id : undefined;
};

/** Whoever holds a token or a session holds no more than that: the password and the address of its own person ask for the password. */
const refuseOwn = (by: ActRequester, id: UserId, { password, email }: EditUserCommand): void => {
  if (by instanceof ProvedPerson ? by.userId !== id : !isSelf(by, id)) return;
  if (password !== undefined) throw new Forbidden('Change your own password on the page of your account');
  if (email !== undefined) throw new Forbidden('Change your own primary address on the page of your addresses');
};

/** @throws Invalid. */
const refuseReserved = (username: string, before: string): void => {
  if (username === before) return;
  const problems = new ProblemCollector();
  checkUsername(problems, username, before);
  problems.refuse();
};

const checkEdit = ({ username, name, email, password }: EditUserCommand): void => {
  const problems = new ProblemCollector();
  // Whether it is reserved is asked once it is known what they are called: forms send the username along.
  if (username !== undefined) checkUsername(problems, username, username);
  if (name !== undefined) checkName(problems, name);
  if (email !== undefined) checkEmail(problems, email);
  if (password !== undefined) checkPassword(problems, password.reveal());
  problems.refuse();
};
