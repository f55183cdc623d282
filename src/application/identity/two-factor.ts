import { readRecoveryCode, recoveryCodeOf } from '../../domain/identity/recovery-code.js';
import type { TwoFactor, User } from '../../domain/identity/user.js';
import { Invalid, NotFound } from '../../domain/shared/domain-error.js';
import type { Clock } from '../shared/ports/clock.js';
import type { SecretBox, SecretDigester, SecretSource } from '../shared/ports/secrets.js';
import type { UnitOfWork } from '../shared/unit-of-work.js';
import type { OneTimeCodes } from './ports/one-time-codes.js';
import type { SessionRepository } from './ports/session-repository.js';
import type { ProvedPerson } from './prove-identity.js';
import type { SecondFactor } from './second-factor.js';
import { redeemProof, type SecurityLog, type SecurityLogRepositories } from './security-log.js';

type Needs = SecurityLogRepositories & { readonly sessions: SessionRepository };

const RECOVERY_CODES = 10;

/** A key as `newSecret` makes them: 160 random bits in base32 (RFC 4226 §4 asks for 128 at least). */
const SECRET = /^[A-Z2-7]{32}$/;

/** What people do to their own second factor. Every change but new recovery codes ends their other sessions. */
export class TwoFactorSettings {
  constructor(
    private readonly unitOfWork: UnitOfWork<Needs>,
    private readonly secondFactor: SecondFactor,
    private readonly securityLog: SecurityLog,
    private readonly codes: OneTimeCodes,
    private readonly secrets: SecretSource,
    private readonly digester: SecretDigester,
    private readonly secretBox: SecretBox,
    private readonly clock: Clock,
  ) {}

  /** A secret for the authenticator, not in force before `enable`. */
  newSecret(): string {
    return this.codes.newSecret();
  }

  /** An `otpauth:` address for the authenticator to read. */
  addressOf(secret: string, username: string): string {
    return this.codes.address(secret, username);
  }

  /**
   * Puts the second factor in force once a code has shown that the authenticator has the secret. Where one is in force, it is replaced:
   * that needs a code of the present one, unless one was given for the proof just now.
   * @returns the recovery codes, to be shown this once.
   * @throws Invalid at `secret`, `code` or `current_code`.
   */
  async enable(
    person: ProvedPerson,
    { secret, code, currentCode = '' }: { secret: string; code: string; currentCode?: string },
  ): Promise<readonly string[]> {
    if (!SECRET.test(secret)) throw new Invalid({ secret: ['is not one that this page made. Scan the new one'] });
    const step = await this.codes.matchingStep(secret, code.replace(/\s/g, ''), this.clock.now());
    if (step === undefined) throw new Invalid({ code: ['is not the one that the authenticator shows now'] });
    const sealedSecret = this.secretBox.seal(secret);
    const replaced = await this.#proveCurrent(person, currentCode);
    const recoveryCodes = this.#newRecoveryCodes();
    await this.#change(person, async ({ users, sessions }, user) => {
      const twoFactor = { sealedSecret, recoveryCodeDigests: this.#digests(recoveryCodes), lastTimeStep: step };
      // What was proved is the one that is replaced, and not one that came in between.
      if (!this.secondFactor.isSameSecret(user.twoFactor?.sealedSecret, replaced))
        throw new Invalid({ code: ['is late: something changed. Try again'] });
      await users.update(user.id, { twoFactor });
      await sessions.removeAllOf(user.id, person.sessionId);
      return user.twoFactor === null ? 'turn_on_two_factor' : 'replace_two_factor';
    });
    return recoveryCodes;
  }

  async disable(person: ProvedPerson): Promise<void> {
    await this.#change(person, async ({ users, sessions }, { id }) => {
      await users.update(id, { twoFactor: null });
      await sessions.removeAllOf(id, person.sessionId);
      return 'turn_off_two_factor';
    });
  }

  /**
   * Replaces all recovery codes.
   * @returns the new ones, to be shown this once.
   * @throws NotFound while two-factor authentication is off.
   */
  async renewRecoveryCodes(person: ProvedPerson): Promise<readonly string[]> {
    const recoveryCodes = this.#newRecoveryCodes();
    await this.#change(person, async ({ users }, { id, twoFactor }) => {
      if (twoFactor === null) throw new NotFound('Two-factor authentication');
      const renewed: TwoFactor = { ...twoFactor, recoveryCodeDigests: this.#digests(recoveryCodes) };
      await users.update(id, { twoFactor: renewed });
      return 'renew_recovery_codes';
    });
    return recoveryCodes;
  }

  /** Answers the sealed secret that is in force, where one is. */
  async #proveCurrent({ userId, justNow }: ProvedPerson, currentCode: string): Promise<string | undefined> {
    const user = await this.unitOfWork.execute(({ users }) => users.find(userId));
    const sealedSecret = user?.twoFactor?.sealedSecret;
    if (sealedSecret === undefined || justNow) return sealedSecret;
    if ((await this.secondFactor.use(userId, currentCode)) === 'used') return sealedSecret;
    throw new Invalid({ current_code: ['is wrong or was used already'] });
  }

  async #change(
    person: ProvedPerson,
    change: (
      repositories: Needs,
      user: User,
    ) => Promise<'turn_on_two_factor' | 'replace_two_factor' | 'turn_off_two_factor' | 'renew_recovery_codes'>,
  ): Promise<void> {
    const at = this.clock.now();
    await this.unitOfWork.execute(async (repositories) => {
      const user = await repositories.users.take(person.userId);
      if (user === undefined) throw new NotFound('User');
      const act = await change(repositories, user);
      const source = await redeemProof(repositories, person);
      await this.securityLog.record(repositories, { user, act, source, at });
    });
  }

  #newRecoveryCodes(): readonly string[] {
    return Array.from({ length: RECOVERY_CODES }, () => recoveryCodeOf(this.digester.digest(this.secrets.token())));
  }

  #digests(recoveryCodes: readonly string[]): readonly string[] {
    return recoveryCodes.map((each) => this.digester.digest(readRecoveryCode(each)));
  }
}
