import { checkEmail, type EmailAddress } from '../../domain/identity/user.js';
import { Invalid, NotFound } from '../../domain/shared/domain-error.js';
import type { UserId } from '../../domain/shared/identifiers.js';
import { ProblemCollector } from '../../domain/shared/problem-collector.js';
import type { Clock } from '../shared/ports/clock.js';
import type { MailQueue } from '../shared/ports/mail-queue.js';
import type { SecretDigester } from '../shared/ports/secrets.js';
import type { UnitOfWork } from '../shared/unit-of-work.js';
import type { OneTimeLinks } from './one-time-links.js';
import type { OneTimeTokenRepository } from './ports/one-time-token-repository.js';
import type { EmailRepository, UserRepository } from './ports/user-repository.js';

interface Needs {
  readonly users: UserRepository;
  readonly emails: EmailRepository;
  readonly oneTimeTokens: OneTimeTokenRepository;
  readonly mailQueue: MailQueue;
}

/** A person's own addresses. */
export class EmailAddresses {
  constructor(
    private readonly unitOfWork: UnitOfWork<Needs>,
    private readonly links: OneTimeLinks,
    private readonly digester: SecretDigester,
    private readonly clock: Clock,
  ) {}

  /**
   * The address counts once the mail that is sent to it has been answered.
   * @throws Invalid, Conflict "Email has already been taken".
   */
  async add(userId: UserId, address: string): Promise<EmailAddress> {
    const problems = new ProblemCollector();
    checkEmail(problems, address);
    problems.refuse();
    const now = this.clock.now();
    const link = this.links.make('confirm_email', now);
    return this.unitOfWork.execute(async (repositories) => {
      const user = await repositories.users.find(userId);
      if (user === undefined) throw new NotFound('User');
      const email = await repositories.emails.add({
        userId,
        address,
        primary: false,
        confirmedAt: null,
        createdAt: now,
      });
      await link.send(repositories, user, email);
      return email;
    });
  }

  /** @throws NotFound when it is not his; Invalid for the primary one. */
  async remove(userId: UserId, emailId: number): Promise<void> {
    await this.unitOfWork.execute(async ({ emails }) => {
      const email = await this.#own(emails, userId, emailId);
      if (email.primary) throw new Invalid({ email: ['is the primary address and cannot be removed'] });
      await emails.remove(emailId);
    });
  }

  /** @throws NotFound when it is not his; Invalid while it is not confirmed. */
  async makePrimary(userId: UserId, emailId: number): Promise<void> {
    await this.unitOfWork.execute(async ({ emails }) => {
      const email = await this.#own(emails, userId, emailId);
      if (email.confirmedAt === null) throw new Invalid({ email: ['must be confirmed first'] });
      await emails.makePrimary(emailId);
    });
  }

  /** Answers the address that the mailed link confirms, or undefined when the link is used up, expired or made up. */
  async confirm(presentedToken: string): Promise<string | undefined> {
    const now = this.clock.now();
    const digest = this.digester.digest(presentedToken);
    return this.unitOfWork.execute(async ({ oneTimeTokens, emails }) => {
      const token = await oneTimeTokens.consume('confirm_email', digest, now);
      const emailId = token?.emailId ?? undefined;
      const email = emailId === undefined ? undefined : await emails.find(emailId);
      if (email === undefined) return undefined;
      await emails.confirm(email.id, now);
      return email.address;
    });
  }

  async #own(emails: EmailRepository, userId: UserId, emailId: number): Promise<EmailAddress> {
    const email = await emails.find(emailId);
    if (email === undefined || email.userId !== userId) throw new NotFound('Email');
    return email;
  }
}
