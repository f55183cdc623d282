import { PERSONAL_ACCESS_TOKEN_SCOPES, scopeCovers, type Scope } from '../../domain/shared/scope.js';
import type { PersonalAccessToken } from '../../domain/identity/personal-access-token.js';
import { isServiceAccount } from '../../domain/identity/service-account.js';
import { isCalendarDay } from '../../domain/shared/calendar-day.js';
import { Forbidden, NotFound } from '../../domain/shared/domain-error.js';
import type { UserId } from '../../domain/shared/identifiers.js';
import { ProblemCollector } from '../../domain/shared/problem-collector.js';
import type { IdentityCounters } from './ports/identity-counters.js';
import type { Clock } from '../shared/ports/clock.js';
import type { SecretDigester, SecretSource } from '../shared/ports/secrets.js';
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

/** A token as its maker sees it once: the secret is not stored. */
export type CreatedToken = PersonalAccessToken & { readonly secret: string };

const MAX_NAME_LENGTH = 255;

interface Needs extends SecurityLogRepositories {
  readonly personalAccessTokens: PersonalAccessTokenRepository;
}

/** Making and revoking personal access tokens. */
export class PersonalAccessTokens {
  constructor(
    private readonly unitOfWork: UnitOfWork<Needs>,
    private readonly securityLog: SecurityLog,
    private readonly secrets: SecretSource,
    private readonly digester: SecretDigester,
    private readonly clock: Clock,
    private readonly counters: IdentityCounters,
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
    const secret = this.secrets.token();
    const digest = this.digester.digest(secret);
    const token = await this.unitOfWork.execute(async (repositories) => {
      const owner = await repositories.users.find(command.userId);
      if (owner === undefined) throw new NotFound('User');
      if (isServiceAccount(owner)) throw new Forbidden('This account belongs to the service and has no tokens');
      if (command.scopes.includes('sudo') && !owner.admin) {
        new ProblemCollector().add('scopes', 'can only contain sudo for administrators').refuse();
      }
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

  /** @throws NotFound when there is no such token, or it belongs to somebody else. */
  async revoke(requester: Requester, tokenId: number): Promise<void> {
    const now = this.clock.now();
    await this.unitOfWork.execute(async ({ personalAccessTokens }) => {
      const token = await personalAccessTokens.find(tokenId);
      const mine = requester.kind === 'user' && token?.userId === requester.id;
      if (token === undefined || (!mine && !isPrivileged(requester))) throw new NotFound();
      await personalAccessTokens.revoke(tokenId, now);
    });
  }
}

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
  const today = now.toISOString().slice(0, 10);
  const allowed: readonly string[] = PERSONAL_ACCESS_TOKEN_SCOPES;
  new ProblemCollector()
    .check(name.trim() !== '', 'name', "can't be blank")
    .check(name.length <= MAX_NAME_LENGTH, 'name', `is too long (maximum is ${MAX_NAME_LENGTH} characters)`)
    .check(scopes.length > 0, 'scopes', "can't be blank")
    .check(
      scopes.every((scope) => allowed.includes(scope)),
      'scopes',
      `can only contain ${allowed.join(', ')}`,
    )
    .check(new Set(scopes).size === scopes.length, 'scopes', 'must not repeat')
    .check(expiresAt === null || isCalendarDay(expiresAt), 'expires_at', 'is not a date (expected YYYY-MM-DD)')
    .check(
      expiresAt === null || !isCalendarDay(expiresAt) || expiresAt > today,
      'expires_at',
      'must be a date in the future',
    )
    .refuse();
};
