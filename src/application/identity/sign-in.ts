import { afterFailure, isLocked, NO_FAILURES } from '../../domain/identity/sign-in-lock.js';
import type { EmailAddress, User } from '../../domain/identity/user.js';
import type { UserId } from '../../domain/shared/identifiers.js';
import type { Clock } from '../shared/ports/clock.js';
import type { Counters } from '../shared/ports/counters.js';
import type { SecretBox, SecretDigester } from '../shared/ports/secrets.js';
import type { UnitOfWork } from '../shared/unit-of-work.js';
import type { OneTimeCodes } from './ports/one-time-codes.js';
import type { PasswordHasher } from './ports/password-hasher.js';
import type { EmailRepository, UserRepository } from './ports/user-repository.js';

export type PasswordResult =
  /** `passwordHash` is the one that was matched: what is given for it is worthless once it has changed. */
  | { readonly outcome: 'signed_in'; readonly userId: UserId; readonly passwordHash: string | null }
  | { readonly outcome: 'second_factor_needed'; readonly userId: UserId }
  /** Wrong name or password, or locked: deliberately one answer, so that nobody learns who exists. */
  | { readonly outcome: 'refused' }
  /** The password was right; only then is it said why not. */
  | { readonly outcome: 'blocked' }
  | { readonly outcome: 'unconfirmed' };

export type SecondFactorResult = 'signed_in' | 'refused';

interface Needs {
  readonly users: UserRepository;
  readonly emails: EmailRepository;
}

/** Proves who somebody is: by password, then by the second factor where one is on. */
export class SignIn {
  constructor(
    private readonly unitOfWork: UnitOfWork<Needs>,
    private readonly passwordHasher: PasswordHasher,
    private readonly codes: OneTimeCodes,
    private readonly secretBox: SecretBox,
    private readonly digester: SecretDigester,
    private readonly clock: Clock,
    private readonly counters: Counters,
  ) {}

  /** @param login a user name or a confirmed address. */
  async byPassword(login: string, password: string): Promise<PasswordResult> {
    const found = await this.unitOfWork.execute((repositories) => findByLogin(repositories, login));
    const matches = await this.passwordHasher.verify(found?.user.passwordHash ?? null, password);
    const result = found === undefined ? REFUSED : await this.#judge(found.user, found.emails, matches);
    this.counters.count('sign_ins_total', { outcome: result.outcome });
    return result;
  }

  /** A code of the authenticator, or one of the recovery codes, each of which works once. Wrong ones count towards the lock. */
  async bySecondFactor(userId: UserId, presented: string): Promise<SecondFactorResult> {
    const code = presented.replace(/[\s-]/g, '');
    const step = await this.#matchingStep(userId, code);
    const now = this.clock.now();
    const result = await this.unitOfWork.execute(async ({ users }): Promise<SecondFactorResult> => {
      const user = await users.take(userId);
      if (user?.twoFactor == null || user.state === 'blocked' || isLocked(user, now)) return 'refused';
      const spent = this.#spend(user.twoFactor, step, code);
      if (spent === undefined) {
        await users.update(userId, afterFailure(user, now));
        return 'refused';
      }
      await users.update(userId, { twoFactor: spent, lastSignInAt: now, ...NO_FAILURES });
      return 'signed_in';
    });
    this.counters.count('sign_ins_total', { outcome: `second_factor_${result}` });
    return result;
  }

  async #judge(
    { id, passwordHash }: Pick<User, 'id' | 'passwordHash'>,
    emails: readonly EmailAddress[],
    matches: boolean,
  ): Promise<PasswordResult> {
    const now = this.clock.now();
    return this.unitOfWork.execute(async ({ users }): Promise<PasswordResult> => {
      const user = await users.take(id);
      if (user === undefined || isLocked(user, now)) return REFUSED;
      // Comparing takes time, in which the password may have been changed.
      if (!matches || user.passwordHash !== passwordHash) {
        await users.update(id, afterFailure(user, now));
        return REFUSED;
      }
      if (user.state === 'blocked') return { outcome: 'blocked' };
      if (!emails.some(({ primary, confirmedAt }) => primary && confirmedAt !== null))
        return { outcome: 'unconfirmed' };
      // The count of failures ends only when the whole sign-in has: else the second factor could be guessed without end.
      if (user.twoFactor !== null) return { outcome: 'second_factor_needed', userId: id };
      await users.update(id, { lastSignInAt: now, ...NO_FAILURES });
      return { outcome: 'signed_in', userId: id, passwordHash };
    });
  }

  async #matchingStep(userId: UserId, code: string): Promise<number | undefined> {
    const user = await this.unitOfWork.execute(({ users }) => users.find(userId));
    if (user?.twoFactor == null || !/^\d{6}$/.test(code)) return undefined;
    return this.codes.matchingStep(this.secretBox.open(user.twoFactor.sealedSecret), code, this.clock.now());
  }

  /** The second factor after this code was used; undefined when it is no code, or was used before (RFC 6238 §5.2). */
  #spend(
    twoFactor: NonNullable<User['twoFactor']>,
    step: number | undefined,
    code: string,
  ): User['twoFactor'] | undefined {
    if (step !== undefined) {
      return twoFactor.lastTimeStep !== null && step <= twoFactor.lastTimeStep
        ? undefined
        : { ...twoFactor, lastTimeStep: step };
    }
    const digest = this.digester.digest(code.toLowerCase());
    if (!twoFactor.recoveryCodeDigests.includes(digest)) return undefined;
    return { ...twoFactor, recoveryCodeDigests: twoFactor.recoveryCodeDigests.filter((each) => each !== digest) };
  }
}

const REFUSED: PasswordResult = { outcome: 'refused' };

const findByLogin = async ({ users, emails }: Needs, login: string) => {
  const user = login.includes('@') ? await users.findByEmail(login) : await users.findByUsername(login);
  if (user === undefined) return undefined;
  const own = await emails.ofUser(user.id);
  const byAddress = own.find(({ address }) => address.toLowerCase() === login.toLowerCase());
  if (login.includes('@') && byAddress?.primary !== true && byAddress?.confirmedAt === null) return undefined;
  return { user, emails: own };
};
