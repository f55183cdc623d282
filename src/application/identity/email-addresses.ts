import { hasNobody } from '../../domain/identity/service-account.js';
import { checkEmail, type EmailAddress } from '../../domain/identity/user.js';
import type { SensitiveAct } from '../../domain/identity/sensitive-act.js';
import { Forbidden, Invalid, NotFound, TooManyRequests } from '../../domain/shared/domain-error.js';
import type { UserId } from '../../domain/shared/identifiers.js';
import { ProblemCollector } from '../../domain/shared/problem-collector.js';
import type { UserActor } from '../shared/actor.js';
import type { Clock } from '../shared/ports/clock.js';
import type { SecretDigester } from '../shared/ports/secrets.js';
import type { UnitOfWork } from '../shared/unit-of-work.js';
import type { OneTimeLinkRepositories, OneTimeLinks } from './one-time-links.js';
import type { ActSource, SecurityEventRepository } from './ports/security-event-repository.js';
import { ProvedPerson } from './prove-identity.js';
import { redeemProof, type SecurityLog, type SecurityLogRepositories } from './security-log.js';

type Needs = SecurityLogRepositories & OneTimeLinkRepositories;

/** By a token or a session at the API, which both prove no password, and from where. */
export interface ApiCaller {
  readonly actor: UserActor;
  readonly clientAddress: string;
}

/** Confirmation mails of one account in an hour, so that nobody is flooded through it. */
const CONFIRMATIONS_AN_HOUR = 5;
const HOUR_MS = 3_600_000;

/** A person's own addresses. */
export class EmailAddresses {
  constructor(
    private readonly unitOfWork: UnitOfWork<Needs>,
    private readonly links: OneTimeLinks,
    private readonly securityLog: SecurityLog,
    private readonly digester: SecretDigester,
    private readonly clock: Clock,
  ) {}

  /**
   * The address counts once the mail that is sent to it has been answered. Added with the password it then serves for a new password,
   * too; added by a token only when its owner allows it (`useForRecovery`).
   * @throws Invalid; Conflict "Email has already been taken"; TooManyRequests after five within an hour.
   */
  async add(by: ProvedPerson | ApiCaller, address: string): Promise<EmailAddress> {
    const problems = new ProblemCollector();
    checkEmail(problems, address);
    problems.refuse();
    const at = this.clock.now();
    const link = this.links.make('confirm_email', at);
    return this.unitOfWork.execute(async (repositories) => {
      // Held, so that of many at once each counts those before it.
      const user = await repositories.users.take(ownerOf(by));
      if (user === undefined) throw new NotFound('User');
      if (hasNobody(user)) throw new Forbidden('This account belongs to an access token and is mailed nothing');
      await refuseTooMany(repositories.securityEvents, user.id, at);
      const email = await repositories.emails.add({
        userId: user.id,
        address,
        primary: false,
        confirmedAt: null,
        recoverySince: by instanceof ProvedPerson ? at : null,
        createdAt: at,
      });
      await this.#record(repositories, by, 'add_email', address, at);
      await link.send(repositories, user, email);
      return email;
    });
  }

  /** @throws NotFound when it is another account's; Invalid for the primary one. */
  async remove(by: ProvedPerson | ApiCaller, emailId: number): Promise<void> {
    const at = this.clock.now();
    await this.unitOfWork.execute(async (repositories) => {
      const email = await own(repositories, ownerOf(by), emailId);
      if (email.primary) throw new Invalid({ email: ['is the primary address and cannot be removed'] });
      await repositories.emails.remove(emailId);
      await this.#record(repositories, by, 'remove_email', email.address, at);
    });
  }

  /** It serves for a new password from then on, as its owner has proved theirs. @throws NotFound, Invalid while it is not confirmed. */
  async makePrimary(person: ProvedPerson, emailId: number): Promise<void> {
    const at = this.clock.now();
    await this.unitOfWork.execute(async (repositories) => {
      const email = await confirmedOwn(repositories, person.userId, emailId);
      if (email.primary) return;
      // The address that was the primary one until now is told.
      await this.#record(repositories, person, 'change_primary_email', email.address, at);
      await repositories.emails.makePrimary(emailId);
      await repositories.emails.useForRecovery(emailId, at);
    });
  }

  /** Allows links for a new password to go to it. @throws NotFound, Invalid while it is not confirmed. */
  async useForRecovery(person: ProvedPerson, emailId: number): Promise<void> {
    const at = this.clock.now();
    await this.unitOfWork.execute(async (repositories) => {
      const email = await confirmedOwn(repositories, person.userId, emailId);
      if (email.recoverySince !== null) return;
      await repositories.emails.useForRecovery(emailId, at);
      await this.#record(repositories, person, 'use_email_for_recovery', email.address, at);
    });
  }

  /**
   * Answers the address that the mailed link confirms, or undefined when the link is used up, expired or made up. Whoever confirms an
   * address first has it: the links of others are used up by that.
   * @throws Conflict "Email has already been taken" when another account confirms it at the same moment.
   */
  async confirm(presentedToken: string): Promise<string | undefined> {
    const now = this.clock.now();
    const digest = this.digester.digest(presentedToken);
    return this.unitOfWork.execute(async ({ oneTimeTokens, emails }) => {
      const emailId = (await oneTimeTokens.find('confirm_email', digest, now))?.emailId ?? undefined;
      const email = emailId === undefined ? undefined : await emails.take(emailId);
      if (email === undefined) return undefined;
      if ((await oneTimeTokens.consume('confirm_email', digest, now)) === undefined) return undefined;
      return (await emails.confirm(email.id, now)) ? email.address : undefined;
    });
  }

  async #record(
    repositories: Needs,
    by: ProvedPerson | ApiCaller,
    act: SensitiveAct,
    subject: string,
    at: Date,
  ): Promise<void> {
    const user = await repositories.users.find(ownerOf(by));
    if (user === undefined) throw new NotFound('User');
    const source: ActSource =
      by instanceof ProvedPerson
        ? await redeemProof(repositories, by)
        : await this.securityLog.sourceOf(repositories, by.actor, user.id, by.clientAddress);
    await this.securityLog.record(repositories, { user, act, subject, source, at });
  }
}

const ownerOf = (by: ProvedPerson | ApiCaller): UserId => (by instanceof ProvedPerson ? by.userId : by.actor.id);

/** Holds the account, so that no other change of its addresses comes in between. */
const own = async ({ users, emails }: Needs, userId: UserId, emailId: number): Promise<EmailAddress> => {
  await users.take(userId);
  const email = await emails.find(emailId);
  if (email === undefined || email.userId !== userId) throw new NotFound('Email');
  return email;
};

const confirmedOwn = async (repositories: Needs, userId: UserId, emailId: number): Promise<EmailAddress> => {
  const email = await own(repositories, userId, emailId);
  if (email.confirmedAt === null) throw new Invalid({ email: ['must be confirmed first'] });
  return email;
};

const refuseTooMany = async (events: SecurityEventRepository, userId: UserId, at: Date): Promise<void> => {
  const hourAgo = new Date(at.getTime() - HOUR_MS);
  const oldest = (await events.instantsOf(userId, 'add_email', hourAgo))[CONFIRMATIONS_AN_HOUR - 1];
  if (oldest === undefined) return;
  const seconds = Math.ceil((oldest.getTime() + HOUR_MS - at.getTime()) / 1_000);
  throw new TooManyRequests(
    seconds,
    `An account gets ${CONFIRMATIONS_AN_HOUR} confirmation mails an hour. Try again in ${Math.ceil(seconds / 60)} minutes.`,
  );
};
