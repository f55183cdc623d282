import type { User } from '../../domain/identity/user.js';
import type { UserId } from '../../domain/shared/identifiers.js';
import type { Clock } from '../shared/ports/clock.js';
import type { SecretDigester, SecretSource } from '../shared/ports/secrets.js';
import type { UnitOfWork } from '../shared/unit-of-work.js';
import { NotFound } from '../../domain/shared/domain-error.js';
import { stillLetsIn, type MatchedPassword } from './operations/matched-password.js';
import type {
  OwnedSession,
  SeenSession,
  Session,
  SessionReader,
  SessionRepository,
  SessionStage,
} from './ports/session-repository.js';
import type { UserRepository } from './ports/user-repository.js';

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

/** How long a session lives without being used; one that is used is extended, at most to its absolute end. */
const LIFETIME_MS: Readonly<Record<SessionStage, number>> = {
  second_factor: 10 * MINUTE_MS,
  signed_in: 14 * DAY_MS,
};
const ABSOLUTE_LIFETIME_MS = 90 * DAY_MS;
const MOST_LISTED = 100;
const EXTEND_AFTER_MS = 60 * MINUTE_MS;

interface Needs {
  readonly users: UserRepository;
  readonly sessions: SessionRepository;
}

/** A session beside the secret that its browser holds. */
export interface OpenedSession {
  readonly session: Session;
  readonly secret: string;
}

/** The sessions of browsers, in the database: any node knows them, and one that is ended is ended everywhere. */
export class Sessions {
  constructor(
    private readonly unitOfWork: UnitOfWork<Needs>,
    private readonly reader: SessionReader,
    private readonly secrets: SecretSource,
    private readonly digester: SecretDigester,
    private readonly clock: Clock,
  ) {}

  /** The session whose secret this is, while it lives, and whose it is. */
  async find(secret: string): Promise<OwnedSession | undefined> {
    const now = this.clock.now();
    const found = await this.reader.findByDigest(this.digester.digest(secret), now);
    if (found?.session.stage === 'signed_in') await this.#extend(found.session, now);
    return found;
  }

  /**
   * A new session under a new secret; the one that it replaces ends, so that nobody who knew it is let in.
   * @returns undefined when the password that was matched has stopped letting them in meanwhile.
   */
  open(
    stage: SessionStage,
    matched: MatchedPassword,
    returnTo: string | null,
    replaces?: Session,
  ): Promise<OpenedSession | undefined> {
    return this.#add(stage, matched.userId, returnTo, async (user, { sessions }) => {
      // The second factor may have been put in force since the password alone was asked for.
      const enough = stage === 'second_factor' || user.twoFactor === null;
      if (!enough || !stillLetsIn(user, matched)) return false;
      if (replaces !== undefined) await sessions.remove(replaces.id);
      return true;
    });
  }

  /**
   * The session of somebody who has proved the second factor as well, in place of the unfinished one. Whatever makes the password
   * worthless has ended that.
   * @returns undefined when it has ended meanwhile.
   */
  finish(unfinished: Session): Promise<OpenedSession | undefined> {
    return this.#add('signed_in', unfinished.userId, null, async ({ state }, { sessions }) => {
      return (await sessions.remove(unfinished.id)) && state === 'active';
    });
  }

  async end(session: Session): Promise<void> {
    await this.unitOfWork.execute(({ sessions }) => sessions.remove(session.id));
  }

  /** Where somebody is signed in, the last used first. */
  listOf(userId: UserId): Promise<readonly SeenSession[]> {
    return this.reader.listOf(userId, this.clock.now(), MOST_LISTED);
  }

  /** @throws NotFound when they have no such session. */
  async revoke(userId: UserId, id: number): Promise<void> {
    if (!(await this.unitOfWork.execute(({ sessions }) => sessions.revoke(userId, id)))) throw new NotFound('Session');
  }

  /** Signs somebody out everywhere but where they are. */
  async endOthers({ userId, id }: Session): Promise<void> {
    await this.unitOfWork.execute(({ sessions }) => sessions.revokeOthers(userId, id));
  }

  /** Whoever blocks the account, or changes its password, waits or has done so already, as they take it first, too. */
  async #add(
    stage: SessionStage,
    userId: UserId,
    returnTo: string | null,
    lets: (user: User, repositories: Needs) => Promise<boolean>,
  ): Promise<OpenedSession | undefined> {
    const secret = this.secrets.token();
    const now = this.clock.now();
    const session = await this.unitOfWork.execute(async (repositories) => {
      const user = await repositories.users.take(userId);
      if (user === undefined || !(await lets(user, repositories))) return undefined;
      return repositories.sessions.add({
        stage,
        userId,
        returnTo,
        digest: this.digester.digest(secret),
        createdAt: now,
        provedAt: now,
        expiresAt: new Date(now.getTime() + LIFETIME_MS[stage]),
      });
    });
    return session && { session, secret };
  }

  async #extend(session: Session, now: Date): Promise<void> {
    const latest = session.createdAt.getTime() + ABSOLUTE_LIFETIME_MS;
    const expiresAt = new Date(Math.min(now.getTime() + LIFETIME_MS.signed_in, latest));
    if (expiresAt.getTime() - session.expiresAt.getTime() < EXTEND_AFTER_MS) return;
    await this.unitOfWork.execute(({ sessions }) => sessions.extend(session.id, expiresAt, now));
  }
}
