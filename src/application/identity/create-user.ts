import { checkEmail, checkName, checkPassword, checkUsername, type User } from '../../domain/identity/user.js';
import { ProblemCollector } from '../../domain/shared/problem-collector.js';
import type { DomainEvents } from '../shared/domain-events.js';
import type { MailQueue } from '../shared/ports/mail-queue.js';
import type { Clock } from '../shared/ports/clock.js';
import type { UnitOfWork } from '../shared/unit-of-work.js';
import { openAccount } from './operations/open-account.js';
import { holdAdministrator, type HeldAdministratorNeeds } from './operations/hold-administrator.js';
import { refuseUnlessPrivileged, type ActRequester } from './operations/sensitive-acts.js';
import type { OneTimeLinks } from './one-time-links.js';
import type { OneTimeTokenRepository } from './ports/one-time-token-repository.js';
import type { OfferedPassword, PasswordHasher } from './ports/password-hasher.js';
import type { EmailRepository } from './ports/user-repository.js';

export interface CreateUserCommand {
  readonly username: string;
  readonly name: string;
  readonly email: string;
  /** Absent: nobody can sign in until a password is set by mail. */
  readonly password?: OfferedPassword;
  readonly admin: boolean;
  /** The address counts as confirmed at once. */
  readonly skipConfirmation: boolean;
  /** A link to set a password is mailed. */
  readonly sendPasswordLink: boolean;
}

interface Needs extends HeldAdministratorNeeds {
  readonly emails: EmailRepository;
  readonly oneTimeTokens: OneTimeTokenRepository;
  readonly mailQueue: MailQueue;
  readonly events: DomainEvents;
}

export class CreateUser {
  constructor(
    private readonly unitOfWork: UnitOfWork<Needs>,
    private readonly passwordHasher: PasswordHasher,
    private readonly links: OneTimeLinks,
    private readonly clock: Clock,
  ) {}

  /**
   * @throws Forbidden unless an administrator or the operator asks, and as `holdAdministrator`; Invalid naming every problem; Conflict when
   * the name or the address is taken.
   */
  async execute(by: ActRequester, command: CreateUserCommand): Promise<User> {
    refuseUnlessPrivileged(by);
    check(command);
    const passwordHash = command.password === undefined ? null : await this.passwordHasher.hash(command.password);
    const now = this.clock.now();
    const confirmation = this.links.make('confirm_email', now);
    const passwordLink = this.links.make('reset_password', now);
    return this.unitOfWork.execute(async (repositories) => {
      await holdAdministrator(repositories, by, { now });
      const { username, name, admin, email: address, skipConfirmation: confirmed } = command;
      const account = { username, name, admin, passwordHash, address, confirmed };
      const { user, email } = await openAccount(repositories, account, now);
      if (!command.skipConfirmation) await confirmation.send(repositories, user, email);
      if (command.sendPasswordLink) await passwordLink.send(repositories, user, email);
      return user;
    });
  }
}

const check = ({ username, name, email, password }: CreateUserCommand): void => {
  const problems = new ProblemCollector();
  checkUsername(problems, username);
  checkName(problems, name);
  checkEmail(problems, email);
  if (password !== undefined) checkPassword(problems, password.reveal());
  problems.refuse();
};
