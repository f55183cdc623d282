import { checkBio, checkName, checkPassword, checkTimeZone, type User } from '../../domain/identity/user.js';
import { NotFound } from '../../domain/shared/domain-error.js';
import type { UserId } from '../../domain/shared/identifiers.js';
import { ProblemCollector } from '../../domain/shared/problem-collector.js';
import type { Clock } from '../shared/ports/clock.js';
import type { SecretDigester } from '../shared/ports/secrets.js';
import type { UnitOfWork } from '../shared/unit-of-work.js';
import { setNewPassword, type AccessRepositories } from './new-password.js';
import type { OneTimeToken } from './ports/one-time-token-repository.js';
import type { OfferedPassword, PasswordHasher } from './ports/password-hasher.js';
import type { ProvedPerson } from './prove-identity.js';
import { redeemProof, type SecurityLog, type SecurityLogRepositories } from './security-log.js';

type Needs = AccessRepositories & SecurityLogRepositories;

/** A person's own password. */
export class Account {
  constructor(
    private readonly unitOfWork: UnitOfWork<Needs>,
    private readonly passwordHasher: PasswordHasher,
    private readonly securityLog: SecurityLog,
    private readonly digester: SecretDigester,
    private readonly clock: Clock,
  ) {}

  /** How a person is shown to others, and times to them. @throws Invalid at `name`, `bio`, `time_zone`. */
  async describe(userId: UserId, { name, bio, timeZone }: Pick<User, 'name' | 'bio' | 'timeZone'>): Promise<void> {
    const problems = new ProblemCollector();
    checkName(problems, name);
    checkBio(problems, bio);
    checkTimeZone(problems, timeZone);
    problems.refuse();
    await this.unitOfWork.execute(async ({ users, events }) => {
      const user = await users.take(userId);
      if (user === undefined) throw new NotFound('User');
      await users.update(userId, { name, bio, timeZone });
      await events.publish({ kind: 'account_renamed', accountId: userId, username: user.username, name });
    });
  }

  /** @throws Invalid at `password`. */
  async changePassword(
    person: ProvedPerson,
    password: OfferedPassword,
    { keepOtherSessions }: { readonly keepOtherSessions: boolean },
  ): Promise<void> {
    check(password);
    const passwordHash = await this.passwordHasher.hash(password);
    const at = this.clock.now();
    const { userId, sessionId } = person;
    await this.unitOfWork.execute(async (repositories) => {
      const user = await repositories.users.find(userId);
      if (user === undefined) throw new NotFound('User');
      const spared = { sessionId, otherSessions: keepOtherSessions, personalAccessTokens: true } as const;
      await setNewPassword(repositories, userId, passwordHash, at, spared);
      const source = await redeemProof(repositories, person);
      await this.securityLog.record(repositories, { user, act: 'change_password', source, at });
    });
  }

  /** When a mailed link for a new password ends; undefined when it is used up, expired or made up. */
  async passwordLinkEnds(presentedToken: string): Promise<Date | undefined> {
    return (await this.#findLink(this.digester.digest(presentedToken)))?.expiresAt;
  }

  #findLink(digest: string): Promise<OneTimeToken | undefined> {
    return this.unitOfWork.execute(({ oneTimeTokens }) =>
      oneTimeTokens.find('reset_password', digest, this.clock.now()),
    );
  }

  /**
   * Sets a password by a mailed link. Whoever had the old one is out: every session and token ends.
   * @returns false when the link is used up, expired or made up; nothing is hashed then.
   * @throws Invalid at `password`; the link stays good.
   */
  async setPasswordByLink(presentedToken: string, password: OfferedPassword, clientAddress: string): Promise<boolean> {
    const digest = this.digester.digest(presentedToken);
    const known = await this.#findLink(digest);
    if (known === undefined) return false;
    check(password);
    const passwordHash = await this.passwordHasher.hash(password);
    const at = this.clock.now();
    return this.unitOfWork.execute(async (repositories) => {
      const { users, oneTimeTokens, emails } = repositories;
      // Taken before the link, as by everybody who ends links.
      const user = await users.take(known.userId);
      if (known.emailId !== null) await emails.take(known.emailId);
      const token = await oneTimeTokens.consume('reset_password', digest, at);
      if (user === undefined || token === undefined) return false;
      // Whoever followed the link reads that address.
      if (token.emailId !== null) await emails.confirm(token.emailId, at);
      await setNewPassword(repositories, user.id, passwordHash, at, 'nothing');
      const source = { means: 'mailed_link', name: null, clientAddress } as const;
      await this.securityLog.record(repositories, { user, act: 'change_password', source, at });
      return true;
    });
  }
}

const check = (password: OfferedPassword): void => {
  const problems = new ProblemCollector();
  checkPassword(problems, password.reveal());
  problems.refuse();
};
