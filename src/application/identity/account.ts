import { checkPassword, type User } from '../../domain/identity/user.js';
import { NO_FAILURES } from '../../domain/identity/sign-in-lock.js';
import { Invalid, NotFound } from '../../domain/shared/domain-error.js';
import type { UserId } from '../../domain/shared/identifiers.js';
import { ProblemCollector } from '../../domain/shared/problem-collector.js';
import type { Clock } from '../shared/ports/clock.js';
import type { AuthorizationCodeRepository, GrantRepository } from '../oauth/ports/oauth-repositories.js';
import type { SecretBox, SecretDigester, SecretSource } from '../shared/ports/secrets.js';
import type { MailQueue } from '../shared/ports/mail-queue.js';
import type { UnitOfWork } from '../shared/unit-of-work.js';
import { endAllAccess, endGrants } from './end-all-access.js';
import type { OneTimeLinks } from './one-time-links.js';
import type { OneTimeCodes } from './ports/one-time-codes.js';
import type { OneTimeTokenRepository } from './ports/one-time-token-repository.js';
import type { PasswordHasher } from './ports/password-hasher.js';
import type { PersonalAccessTokenRepository } from './ports/personal-access-token-repository.js';
import type { SessionRepository } from './ports/session-repository.js';
import type { EmailRepository, UserRepository } from './ports/user-repository.js';

interface Needs {
  readonly users: UserRepository;
  readonly emails: EmailRepository;
  readonly sessions: SessionRepository;
  readonly oneTimeTokens: OneTimeTokenRepository;
  readonly authorizationCodes: AuthorizationCodeRepository;
  readonly grants: GrantRepository;
  readonly personalAccessTokens: PersonalAccessTokenRepository;
  readonly mailQueue: MailQueue;
}

const RECOVERY_CODES = 10;
const RECOVERY_CODE_LENGTH = 12;

/** What people do to their own password and second factor. Every change ends their other sessions. */
export class Account {
  constructor(
    private readonly unitOfWork: UnitOfWork<Needs>,
    private readonly passwordHasher: PasswordHasher,
    private readonly links: OneTimeLinks,
    private readonly codes: OneTimeCodes,
    private readonly secrets: SecretSource,
    private readonly digester: SecretDigester,
    private readonly secretBox: SecretBox,
    private readonly clock: Clock,
  ) {}

  /**
   * Ends the other sessions, and what applications were given. Personal access tokens live on: their owner made them one by one,
   * and is here to revoke them.
   *
   * @param sessionId the session that asks, which lives on.
   * @throws Invalid at `current_password` or `password`.
   */
  async changePassword(userId: UserId, sessionId: number, current: string, password: string): Promise<void> {
    await this.#confirm(userId, current);
    const problems = new ProblemCollector();
    checkPassword(problems, password);
    problems.refuse();
    const passwordHash = await this.passwordHasher.hash(password);
    await this.unitOfWork.execute(async (repositories) => {
      await repositories.users.update(userId, { passwordHash, ...NO_FAILURES });
      await repositories.sessions.removeAllOf(userId, sessionId);
      await endGrants(repositories, userId, 'password_changed', this.clock.now());
    });
  }

  /** Mails a link where the address is a confirmed or primary one. The caller learns nothing of whether it is. */
  async requestPasswordLink(address: string): Promise<void> {
    const link = this.links.make('reset_password', this.clock.now());
    await this.unitOfWork.execute(async (repositories) => {
      const user = await repositories.users.findByEmail(address);
      if (user === undefined || user.state === 'blocked') return;
      const emails = await repositories.emails.ofUser(user.id);
      const email = emails.find((each) => each.address.toLowerCase() === address.toLowerCase());
      if (email !== undefined && (email.primary || email.confirmedAt !== null))
        await link.send(repositories, user, email);
    });
  }

  /**
   * Sets a password by a mailed link. Whoever had the old one is out: every session and token ends.
   * @returns false when the link is used up, expired or made up.
   * @throws Invalid at `password`; the link stays good.
   */
  async setPasswordByLink(presentedToken: string, password: string): Promise<boolean> {
    const problems = new ProblemCollector();
    checkPassword(problems, password);
    problems.refuse();
    const passwordHash = await this.passwordHasher.hash(password);
    const now = this.clock.now();
    const digest = this.digester.digest(presentedToken);
    return this.unitOfWork.execute(async (repositories) => {
      const { users, oneTimeTokens, emails } = repositories;
      const token = await oneTimeTokens.consume('reset_password', digest, now);
      if (token === undefined) return false;
      await users.update(token.userId, { passwordHash, ...NO_FAILURES });
      // Whoever followed the link reads that address.
      if (token.emailId !== null) await emails.confirm(token.emailId, now);
      await endAllAccess(repositories, token.userId, now);
      return true;
    });
  }

  /** A secret for the authenticator, not in force before `enableTwoFactor`. */
  newTwoFactorSecret(username: string): { readonly secret: string; readonly address: string } {
    const secret = this.codes.newSecret();
    return { secret, address: this.addressOf(secret, username) };
  }

  /** An `otpauth:` address for the authenticator to read. */
  addressOf(secret: string, username: string): string {
    return this.codes.address(secret, username);
  }

  /**
   * Puts the second factor in force once a code has shown that the authenticator has the secret.
   * @returns the recovery codes, to be shown this once.
   * @throws Invalid at `code`.
   */
  async enableTwoFactor(userId: UserId, sessionId: number, secret: string, code: string): Promise<readonly string[]> {
    const step = await this.codes.matchingStep(secret, code.replace(/\s/g, ''), this.clock.now());
    if (step === undefined) throw new Invalid({ code: ['is not the one that the authenticator shows now'] });
    const recoveryCodes = Array.from({ length: RECOVERY_CODES }, () => this.#recoveryCode());
    const twoFactor = {
      sealedSecret: this.secretBox.seal(secret),
      recoveryCodeDigests: recoveryCodes.map((each) => this.digester.digest(each.replaceAll('-', ''))),
      lastTimeStep: step,
    };
    await this.unitOfWork.execute(async ({ users, sessions }) => {
      await users.update(userId, { twoFactor });
      await sessions.removeAllOf(userId, sessionId);
    });
    return recoveryCodes;
  }

  /** @throws Invalid at `current_password`. */
  async disableTwoFactor(userId: UserId, sessionId: number, current: string): Promise<void> {
    await this.#confirm(userId, current);
    await this.unitOfWork.execute(async ({ users, sessions }) => {
      await users.update(userId, { twoFactor: null });
      await sessions.removeAllOf(userId, sessionId);
    });
  }

  async #confirm(userId: UserId, current: string): Promise<User> {
    const user = await this.unitOfWork.execute(({ users }) => users.find(userId));
    if (user === undefined) throw new NotFound('User');
    if (await this.passwordHasher.verify(user.passwordHash, current)) return user;
    throw new Invalid({ current_password: ['is not right'] });
  }

  #recoveryCode(): string {
    const text = this.digester.digest(this.secrets.token()).slice(0, RECOVERY_CODE_LENGTH);
    return text.replace(/(.{4})(?=.)/g, '$1-');
  }
}
