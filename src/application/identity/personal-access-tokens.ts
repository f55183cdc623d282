import { PERSONAL_ACCESS_TOKEN_SCOPES, scopeCovers, type Scope } from '../../domain/shared/scope.js';
import {
  familyOf,
  ROTATED_LASTS_DAYS,
  tokenState,
  type PersonalAccessToken,
} from '../../domain/identity/personal-access-token.js';
import { isServiceAccount } from '../../domain/identity/service-account.js';
import { isCalendarDay } from '../../domain/shared/calendar-day.js';
import { BadRequest, Forbidden, NotFound } from '../../domain/shared/domain-error.js';
import type { UserId } from '../../domain/shared/identifiers.js';
import { ProblemCollector } from '../../domain/shared/problem-collector.js';
import type { IdentityCounters } from './ports/identity-counters.js';
import type { PersonalAccessTokenReader } from './ports/identity-readers.js';
import type { Clock } from '../shared/ports/clock.js';
import type { Secrecy } from '../shared/ports/secrets.js';
import type { UnitOfWork } from '../shared/unit-of-work.js';
import type { PersonalAccessTokenRepository } from './ports/personal-access-token-repository.js';
import { ProvedPerson } from './prove-identity.js';
import { isPrivileged, type Requester } from './requester.js';
import { redeemProof, type SecurityLog, type SecurityLogRepositories } from './security-log.js';

export interface CreateTokenCommand {
  readonly userId: UserId;
  readonly name: string;
  readonly scopes: readonly Scope[];
  /** UTC day on which it stops working, `YYYY-MM-DD`. */
  readonly expiresAt: string | null;
}

export interface RotateTokenCommand {
  readonly tokenId: number;
  /** UTC day on which the new one stops working; a week from now where it is not said. */
  readonly expiresAt?: string;
  readonly clientAddress: string | null;
}

/** A token as its maker sees it once: the secret is not stored. */
export type CreatedToken = PersonalAccessToken & { readonly secret: string };

const MAX_NAME_LENGTH = 255;
const DAY_MS = 86_400_000;

interface Needs extends SecurityLogRepositories {
  readonly personalAccessTokens: PersonalAccessTokenRepository;
}

/** Making and revoking personal access tokens. */
export class PersonalAccessTokens {
  constructor(
    private readonly unitOfWork: UnitOfWork<Needs>,
    private readonly securityLog: SecurityLog,
    private readonly secrecy: Secrecy,
    private readonly clock: Clock,
    private readonly counters: IdentityCounters,
    private readonly reader: Pick<PersonalAccessTokenReader, 'findByDigest'>,
  ) {}

  /**
   * @param clientAddress where the requester is, for the owner to know.
   * @throws Forbidden when the requester may not make tokens for that user, who may be an account of the service, or asks for more than their own token can do;
   * Invalid naming every problem; NotFound when there is no such user.
   */
  async create(
    requester: Requester | ProvedPerson,
    command: CreateTokenCommand,
    clientAddress: string | null = null,
  ): Promise<CreatedToken> {
    refuseForeign(requester, command.userId);
    refuseMoreThanOwn(requester, command.scopes);
    const now = this.clock.now();
    check(command, now);
    const secret = this.secrecy.secrets.token();
    const digest = this.secrecy.digester.digest(secret);
    const token = await this.unitOfWork.execute(async (repositories) => {
      const owner = await repositories.users.find(command.userId);
      if (owner === undefined) throw new NotFound('User');
      if (isServiceAccount(owner)) throw new Forbidden('This account belongs to the service and has no tokens');
      refuseSudoOf(owner, command.scopes);
      const source =
        requester instanceof ProvedPerson
          ? await redeemProof(repositories, requester)
          : await this.securityLog.sourceOf(repositories, requester, owner.id, clientAddress);
      const act = { user: owner, act: 'make_token', subject: command.name, source, at: now } as const;
      await this.securityLog.record(repositories, act);
      return repositories.personalAccessTokens.add({ ...command, digest, createdAt: now });
    });
    this.counters.count('tokens_issued_total', { grant: 'personal_access_token' });
    return { ...token, secret };
  }

  /**
   * Makes a token of the same name and scopes in the place of one, which ends with it. One that was revoked already is refused, and takes
   * with it what has come of it: of the two that know it one has stolen it.
   *
   * @throws NotFound when there is no such token, or it belongs to somebody else; Forbidden for an application, and for a token that can
   * do less; BadRequest for a token that has ended; Invalid for the day.
   */
  async rotate(requester: Requester, { tokenId, expiresAt, clientAddress }: RotateTokenCommand): Promise<CreatedToken> {
    // What it would get outlasts the consent that it was given.
    if (requester.kind === 'user' && requester.credential.kind === 'oauth')
      throw new Forbidden("An application can't rotate personal access tokens");
    const now = this.clock.now();
    const lastsUntil = expiresAt ?? dayAfter(now, ROTATED_LASTS_DAYS);
    checkExpiry(new ProblemCollector(), lastsUntil, now).refuse();
    const secret = this.secrecy.secrets.token();
    const token = await this.unitOfWork.execute(async (repositories) => {
      const { personalAccessTokens, users } = repositories;
      const old = await personalAccessTokens.find(tokenId);
      if (old === undefined || !mayManage(requester, old)) throw new NotFound();
      refuseMoreThanOwn(requester, old.scopes);
      // Whoever sets a new password meanwhile ends the new token, too.
      const owner = await users.take(old.userId);
      if (owner === undefined) throw new NotFound();
      refuseSudoOf(owner, old.scopes);
      if (!(await personalAccessTokens.revoke(old.id, now))) {
        await endSuccessor(repositories, old, now);
        return undefined;
      }
      if (tokenState({ ...old, revokedAt: null }, now) === 'expired') throw new BadRequest('Token is expired');
      const source = await this.securityLog.sourceOf(repositories, requester, owner.id, clientAddress);
      await this.securityLog.record(repositories, {
        ...{ user: owner, act: 'rotate_token', subject: old.name, source, at: now },
      });
      const { userId, name, scopes } = old;
      const digest = this.secrecy.digester.digest(secret);
      const made = { userId, name, scopes, digest, expiresAt: lastsUntil, createdAt: now, familyId: familyOf(old) };
      return personalAccessTokens.add(made);
    });
    if (token === undefined) throw new BadRequest('Token already revoked');
    this.counters.count('tokens_issued_total', { grant: 'personal_access_token' });
    return { ...token, secret };
  }

  /** A token that was refused asked to be rotated by itself: where another one has taken its place, that one ends. */
  async endSuccessorOf(secret: string): Promise<void> {
    const found = await this.reader.findByDigest(this.secrecy.digester.digest(secret));
    // What was never a token waits for no turn to write.
    if (found === undefined || found.token.revokedAt === null) return;
    const { token, owner } = found;
    await this.unitOfWork.execute(async (repositories) => {
      await repositories.users.take(owner.id);
      await endSuccessor(repositories, token, this.clock.now());
    });
  }

  /** @throws NotFound when there is no such token, or it belongs to somebody else. */
  async revoke(requester: Requester, tokenId: number): Promise<void> {
    const now = this.clock.now();
    await this.unitOfWork.execute(async ({ personalAccessTokens }) => {
      const token = await personalAccessTokens.find(tokenId);
      if (token === undefined || !mayManage(requester, token)) throw new NotFound();
      await personalAccessTokens.revoke(tokenId, now);
    });
  }
}

const mayManage = (requester: Requester, token: PersonalAccessToken): boolean =>
  isPrivileged(requester) || (requester.kind === 'user' && token.userId === requester.id);

/** To be called when its owner is taken, so that nothing more comes of it meanwhile. */
const endSuccessor = async (
  { personalAccessTokens }: Pick<Needs, 'personalAccessTokens'>,
  token: PersonalAccessToken,
  at: Date,
): Promise<void> => {
  const successor = await personalAccessTokens.findSuccessor(token);
  if (successor !== undefined) await personalAccessTokens.revoke(successor.id, at);
};

const dayAfter = (now: Date, days: number): string =>
  new Date(now.getTime() + days * DAY_MS).toISOString().slice(0, 10);

const refuseSudoOf = (owner: { readonly admin: boolean }, scopes: readonly Scope[]): void => {
  if (!scopes.includes('sudo') || owner.admin) return;
  new ProblemCollector().add('scopes', 'can only contain sudo for administrators').refuse();
};

const refuseForeign = (requester: Requester | ProvedPerson, userId: UserId): void => {
  if (requester instanceof ProvedPerson) {
    if (requester.userId === userId) return;
    throw new Forbidden();
  }
  if (isPrivileged(requester) || (requester.kind === 'user' && requester.id === userId)) return;
  throw new Forbidden();
};

/** A token never makes one that can do more than itself. */
const refuseMoreThanOwn = (requester: Requester | ProvedPerson, scopes: readonly Scope[]): void => {
  if (requester instanceof ProvedPerson || requester.kind !== 'user' || requester.credential.kind === 'session') return;
  const held = requester.credential.scopes;
  const beyond = scopes.filter((scope) => !scopeCovers(held, scope));
  if (beyond.length > 0)
    throw new Forbidden(`A token can't make one with more scopes than its own: ${beyond.join(', ')}`);
};

const check = ({ name, scopes, expiresAt }: CreateTokenCommand, now: Date): void => {
  const allowed: readonly string[] = PERSONAL_ACCESS_TOKEN_SCOPES;
  const problems = new ProblemCollector()
    .check(name.trim() !== '', 'name', "can't be blank")
    .check(name.length <= MAX_NAME_LENGTH, 'name', `is too long (maximum is ${MAX_NAME_LENGTH} characters)`)
    .check(scopes.length > 0, 'scopes', "can't be blank")
    .check(
      scopes.every((scope) => allowed.includes(scope)),
      'scopes',
      `can only contain ${allowed.join(', ')}`,
    )
    .check(new Set(scopes).size === scopes.length, 'scopes', 'must not repeat');
  checkExpiry(problems, expiresAt, now).refuse();
};

const checkExpiry = (problems: ProblemCollector, expiresAt: string | null, now: Date): ProblemCollector => {
  const today = now.toISOString().slice(0, 10);
  const isDay = expiresAt === null || isCalendarDay(expiresAt);
  return problems
    .check(isDay, 'expires_at', 'is not a date (expected YYYY-MM-DD)')
    .check(!isDay || expiresAt === null || expiresAt > today, 'expires_at', 'must be a date in the future');
};
