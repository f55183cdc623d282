import { isRecentProof } from '../../domain/identity/sensitive-act.js';
import { afterFailure, isLocked, NO_FAILURES } from '../../domain/identity/sign-in-lock.js';
import { Unauthenticated } from '../../domain/shared/domain-error.js';
import type { UserId } from '../../domain/shared/identifiers.js';
import type { Clock } from '../shared/ports/clock.js';
import type { UnitOfWork } from '../shared/unit-of-work.js';
import type { OfferedPassword, PasswordHasher } from './ports/password-hasher.js';
import type { Session, SessionRepository } from './ports/session-repository.js';
import type { UserRepository } from './ports/user-repository.js';
import type { SecondFactor } from './second-factor.js';

/**
 * Somebody who has proved in this session, and not long ago, that they are its owner: by the password, and by the second factor where
 * it is on. Sensitive acts ask for this value; `ProveIdentity` alone makes it.
 */
export class ProvedPerson {
  // Nothing else has the shape of it.
  readonly #proved = true;

  constructor(
    readonly userId: UserId,
    readonly sessionId: number,
    /** Of the client. */
    readonly clientAddress: string,
    /** Whether the proof came with this very request. */
    readonly justNow: boolean,
  ) {}

  get proved(): boolean {
    return this.#proved;
  }
}

export type ProofResult =
  | { readonly outcome: 'proved'; readonly person: ProvedPerson }
  | { readonly outcome: 'wrong_password' | 'wrong_code' | 'locked' };

interface Needs {
  readonly users: UserRepository;
  readonly sessions: SessionRepository;
}

/** Asks somebody who is signed in once more who they are. */
export class ProveIdentity {
  constructor(
    private readonly unitOfWork: UnitOfWork<Needs>,
    private readonly passwordHasher: PasswordHasher,
    private readonly secondFactor: SecondFactor,
    private readonly clock: Clock,
  ) {}

  /** Undefined when the last proof is too old. */
  recent({ id, userId, provedAt }: Session, clientAddress: string): ProvedPerson | undefined {
    return isRecentProof(provedAt, this.clock.now()) ? new ProvedPerson(userId, id, clientAddress, false) : undefined;
  }

  /**
   * Wrong answers count towards the lock of the account, as at signing in.
   * @param code is read where the second factor is on.
   * @throws Unauthenticated when the session has ended meanwhile.
   */
  async prove(
    { id: sessionId, userId }: Session,
    password: OfferedPassword,
    code: string,
    clientAddress: string,
  ): Promise<ProofResult> {
    const known = await this.unitOfWork.execute(({ users }) => users.find(userId));
    if (known === undefined) throw new Unauthenticated();
    const matches = await this.passwordHasher.verify(known.passwordHash, password);
    const compared = await this.secondFactor.compare(known, code);
    const now = this.clock.now();
    return this.unitOfWork.execute(async ({ users, sessions }): Promise<ProofResult> => {
      const user = await users.take(userId);
      if (user?.state !== 'active') throw new Unauthenticated();
      if (isLocked(user, now)) return { outcome: 'locked' };
      const twoFactor = user.twoFactor && this.secondFactor.spend(user.twoFactor, compared);
      // Comparing takes time, in which the password may have been changed.
      const right = matches && user.passwordHash === known.passwordHash;
      if (!right || twoFactor === undefined) {
        await users.update(userId, afterFailure(user, now));
        return { outcome: right ? 'wrong_code' : 'wrong_password' };
      }
      await users.update(userId, { ...NO_FAILURES, ...(twoFactor === null ? {} : { twoFactor }) });
      if (!(await sessions.prove(sessionId, now))) throw new Unauthenticated();
      return { outcome: 'proved', person: new ProvedPerson(userId, sessionId, clientAddress, true) };
    });
  }
}
