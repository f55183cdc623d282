import { afterFailure, isLocked, NO_FAILURES } from '../../domain/identity/sign-in-lock.js';
import { hasNobody } from '../../domain/identity/service-account.js';
import type { EmailAddress, User } from '../../domain/identity/user.js';
import type { UserId } from '../../domain/shared/identifiers.js';
import type { DomainEvents } from '../shared/domain-events.js';
import type { Clock } from '../shared/ports/clock.js';
import type { IdentityCounters } from './ports/identity-counters.js';
import type { UnitOfWork } from '../shared/unit-of-work.js';
import { stillLetsIn, type MatchedPassword } from './operations/matched-password.js';
import type { OfferedPassword, PasswordHasher } from './ports/password-hasher.js';
import type { EmailRepository, UserRepository } from './ports/user-repository.js';
import type { SecondFactor } from './second-factor.js';

export type PasswordResult =
  | ({ readonly outcome: 'signed_in' | 'second_factor_needed' } & MatchedPassword)
  /** Wrong name or password, or locked: deliberately one answer, so that nobody learns who exists. */
  | { readonly outcome: 'refused' }
  /** The password was right; only then is it said why not. */
  | { readonly outcome: 'blocked' }
  | { readonly outcome: 'unconfirmed' };

export type SecondFactorResult = 'signed_in' | 'refused';

interface Needs {
  readonly users: UserRepository;
  readonly emails: EmailRepository;
  readonly events: DomainEvents;
}

/** Proves who somebody is: by password, then by the second factor where one is on. */
export class SignIn {
  constructor(
    private readonly unitOfWork: UnitOfWork<Needs>,
    private readonly passwordHasher: PasswordHasher,
    private readonly secondFactor: SecondFactor,
    private readonly clock: Clock,
    private readonly counters: IdentityCounters,
  ) {}

  /** @param login a user name or a confirmed address. */
  async byPassword(login: string, password: OfferedPassword): Promise<PasswordResult> {
    const found = await this.unitOfWork.execute((repositories) => findByLogin(repositories, login));
    const matches = await this.passwordHasher.verify(found?.user.passwordHash ?? null, password);
    const result =
      found === undefined ? await this.#refuseUnknown() : await this.#judge(found.user, found.emails, matches);
    this.counters.count('sign_ins_total', { outcome: result.outcome });
    return result;
  }

  /** Whose password was matched, as long as they may sign in and it is theirs. */
  async ownerOf(matched: MatchedPassword): Promise<User | undefined> {
    const user = await this.unitOfWork.execute(({ users }) => users.find(matched.userId));
    return stillLetsIn(user, matched) ? user : undefined;
  }

  /** A code of the authenticator, or one of the recovery codes, each of which works once. Wrong ones count towards the lock. */
  async bySecondFactor(userId: UserId, presented: string): Promise<SecondFactorResult> {
    const success = { lastSignInAt: this.clock.now(), ...NO_FAILURES };
    const result = (await this.secondFactor.use(userId, presented, success)) === 'used' ? 'signed_in' : 'refused';
    this.counters.count('sign_ins_total', { outcome: `second_factor_${result}` });
    return result;
  }

  /** Takes a transaction, as a wrong password does. What was typed is not kept: it may be a password. */
  async #refuseUnknown(): Promise<PasswordResult> {
    const at = this.clock.now();
    await this.unitOfWork.execute(({ events }) => events.publish({ kind: 'unknown_sign_in', accountId: null, at }));
    return REFUSED;
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
      if (user.twoFactor !== null) return { outcome: 'second_factor_needed', userId: id, passwordHash };
      await users.update(id, { lastSignInAt: now, ...NO_FAILURES });
      return { outcome: 'signed_in', userId: id, passwordHash };
    });
  }
}

const REFUSED: PasswordResult = { outcome: 'refused' };

const findByLogin = async ({ users, emails }: Needs, login: string) => {
  // By an address that somebody merely added nobody is found.
  const user = login.includes('@') ? await users.findByEmail(login) : await users.findByUsername(login);
  if (user === undefined || hasNobody(user)) return undefined;
  const own = await emails.ofUser(user.id);
  return { user, emails: own };
};
