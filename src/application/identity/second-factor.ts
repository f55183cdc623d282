import { afterFailure, isLocked } from '../../domain/identity/sign-in-lock.js';
import { readRecoveryCode } from '../../domain/identity/recovery-code.js';
import type { TwoFactor, User } from '../../domain/identity/user.js';
import type { UserId } from '../../domain/shared/identifiers.js';
import type { Clock } from '../shared/ports/clock.js';
import type { SecretBox, SecretDigester } from '../shared/ports/secrets.js';
import type { UnitOfWork } from '../shared/unit-of-work.js';
import type { OneTimeCodes } from './ports/one-time-codes.js';
import type { UserChanges, UserRepository } from './ports/user-repository.js';

/** A code that was compared before the transaction in which it is spent. */
export interface ComparedCode {
  readonly code: string;
  /** The time step that it belongs to, where it is one of the authenticator. */
  readonly step: number | undefined;
  /** Of the authenticator that it was compared with. */
  readonly sealedSecret: string | undefined;
}

/** The second factor that is in force: a code of the authenticator, or a recovery code. Each works once. */
export class SecondFactor {
  constructor(
    private readonly unitOfWork: UnitOfWork<{ readonly users: UserRepository }>,
    private readonly codes: OneTimeCodes,
    private readonly secretBox: SecretBox,
    private readonly digester: SecretDigester,
    private readonly clock: Clock,
  ) {}

  /** Compares a code, which takes time that no transaction has. */
  async compare({ twoFactor }: Pick<User, 'twoFactor'>, presented: string): Promise<ComparedCode> {
    const code = presented.replace(/[\s-]/g, '');
    const sealedSecret = twoFactor?.sealedSecret;
    if (sealedSecret === undefined || !/^\d{6}$/.test(code)) return { code, step: undefined, sealedSecret };
    const step = await this.codes.matchingStep(this.secretBox.open(sealedSecret), code, this.clock.now());
    return { code, step, sealedSecret };
  }

  /** The second factor after this code was used; undefined when it is wrong, or was used before (RFC 6238 §5.2). */
  spend(twoFactor: TwoFactor, { code, step, sealedSecret }: ComparedCode): TwoFactor | undefined {
    if (step !== undefined) {
      const used = twoFactor.lastTimeStep !== null && step <= twoFactor.lastTimeStep;
      // The authenticator may have been replaced meanwhile.
      return used || !this.isSameSecret(sealedSecret, twoFactor.sealedSecret)
        ? undefined
        : { ...twoFactor, lastTimeStep: step };
    }
    const digest = this.digester.digest(readRecoveryCode(code));
    if (!twoFactor.recoveryCodeDigests.includes(digest)) return undefined;
    return { ...twoFactor, recoveryCodeDigests: twoFactor.recoveryCodeDigests.filter((each) => each !== digest) };
  }

  /** Whether both are the same secret: a rotation of the secret key seals it anew. */
  isSameSecret(one: string | undefined, other: string | undefined): boolean {
    if (one === other) return true;
    return one !== undefined && other !== undefined && this.secretBox.open(one) === this.secretBox.open(other);
  }

  /** Spends a code; a wrong one counts towards the lock of the account. @param success what changes with a right one. */
  async use(userId: UserId, presented: string, success: UserChanges = {}): Promise<'used' | 'refused'> {
    const known = await this.unitOfWork.execute(({ users }) => users.find(userId));
    const compared = await this.compare({ twoFactor: known?.twoFactor ?? null }, presented);
    const now = this.clock.now();
    return this.unitOfWork.execute(async ({ users }) => {
      const user = await users.take(userId);
      if (user?.twoFactor == null || user.state === 'blocked' || isLocked(user, now)) return 'refused';
      const twoFactor = this.spend(user.twoFactor, compared);
      await users.update(userId, twoFactor === undefined ? afterFailure(user, now) : { twoFactor, ...success });
      return twoFactor === undefined ? 'refused' : 'used';
    });
  }
}
