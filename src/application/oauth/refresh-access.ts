import type { Application } from '../../domain/oauth/application.js';
import type { Grant } from '../../domain/oauth/grant.js';
import { refusal } from '../../domain/oauth/oauth-error.js';
import { decideRefresh, type RefreshDecision, type RefreshToken } from '../../domain/oauth/refresh-token.js';
import { isAmong, readScopes } from '../../domain/oauth/requested-scopes.js';
import type { UserRepository } from '../identity/ports/user-repository.js';
import type { Clock } from '../shared/ports/clock.js';
import type { Counters } from '../shared/ports/counters.js';
import type { Logger } from '../shared/ports/logger.js';
import type { SecretDigester } from '../shared/ports/secrets.js';
import { together } from '../shared/together.js';
import type { UnitOfWork } from '../shared/unit-of-work.js';
import { refused, type IssuedResult, type RefusedResult, type TokenMint, type TokenResult } from './issued-token.js';
import type { OAuthRepositories } from './ports/oauth-repositories.js';

export interface RefreshAccessCommand {
  readonly application: Application;
  readonly refreshToken: string;
  /** Fewer scopes than were granted (RFC 6749 §6). */
  readonly scope: string | undefined;
}

type RefreshRefusal =
  Extract<RefreshDecision, { outcome: 'refused' | 'theft' }>['reason'] | 'owner_inactive' | 'scope_exceeded';

type Refreshed = IssuedResult | (RefusedResult & { readonly reason: RefreshRefusal });

const refusedFor = (reason: RefreshRefusal, error: 'invalid_grant' | 'invalid_scope' = 'invalid_grant'): Refreshed => ({
  ...refused(refusal(error)),
  reason,
});

type Needs = OAuthRepositories & { readonly users: UserRepository };

/** `grant_type=refresh_token` (RFC 6749 §6), rotating as RFC 9700 §4.14 advises. */
export class RefreshAccess {
  constructor(
    private readonly unitOfWork: UnitOfWork<Needs>,
    private readonly mint: TokenMint,
    private readonly digester: SecretDigester,
    private readonly clock: Clock,
    private readonly graceSeconds: number,
    private readonly counters: Counters,
    private readonly logger: Logger,
  ) {}

  async execute(command: RefreshAccessCommand): Promise<TokenResult> {
    const digest = this.digester.digest(command.refreshToken);
    // A refusal commits: a family that was revoked for theft must stay revoked.
    const { refreshed, grant, decision } = await this.unitOfWork.execute(async (repositories) => {
      const token = await repositories.refreshTokens.take(digest);
      const grant = token && (await repositories.grants.find(token.grantId));
      const decision = this.#decide(token, grant, command.application);
      const refreshed = await this.#carryOut(repositories, decision, token, grant, command);
      return { refreshed, grant, decision };
    });
    if (refreshed.outcome === 'issued') this.counters.count('tokens_issued_total', { grant: 'refresh_token' });
    else this.#report(refreshed.reason, decision, command.application, grant);
    return refreshed;
  }

  #decide(token: RefreshToken | undefined, grant: Grant | undefined, application: Application): RefreshDecision {
    return decideRefresh(token, {
      byOwnClient: grant?.applicationId === application.id,
      grantRevoked: grant?.revokedAt != null,
      graceSeconds: this.graceSeconds,
      now: this.clock.now(),
    });
  }

  async #carryOut(
    repositories: Needs,
    decision: RefreshDecision,
    token: RefreshToken | undefined,
    grant: Grant | undefined,
    { scope }: RefreshAccessCommand,
  ): Promise<Refreshed> {
    const now = this.clock.now();
    if (decision.outcome === 'refused') return refusedFor(decision.reason);
    if (token === undefined || grant === undefined) return refusedFor('unknown');
    if (decision.outcome === 'theft') {
      await repositories.grants.revoke(grant.id, 'refresh_token_reused', now);
      return refusedFor(decision.reason);
    }
    const user = await repositories.users.find(grant.userId);
    if (user?.state !== 'active') return refusedFor('owner_inactive');
    const scopes = scope === undefined ? grant.scopes : readScopes(scope);
    if (scopes === undefined || !isAmong(scopes, grant.scopes)) return refusedFor('scope_exceeded', 'invalid_scope');
    const [, issued] = await together([
      decision.outcome === 'rotate'
        ? this.#replace(repositories, token, now)
        : repositories.refreshTokens.countRepeat(token.id),
      this.mint.pair(repositories, grant, scopes, now),
    ]);
    return { outcome: 'issued', token: issued };
  }

  /** The access token that came with it dies at once. */
  async #replace({ refreshTokens, accessTokens }: Needs, token: RefreshToken, now: Date): Promise<void> {
    await together([
      refreshTokens.markRotated(token.id, now),
      ...(token.accessTokenId === null ? [] : [accessTokens.revoke(token.accessTokenId, now)]),
    ]);
  }

  #report(
    reason: RefreshRefusal,
    { outcome }: RefreshDecision,
    { uid: application }: Application,
    grant: Grant | undefined,
  ): void {
    const fields = { reason, application, grantId: grant?.id, userId: grant?.userId };
    this.counters.count('refresh_refusals_total', { reason });
    if (outcome === 'theft') {
      this.counters.count('token_reuses_total', { kind: 'refresh_token' });
      this.logger.warn('a refresh token was used again: its family was revoked', fields);
    } else this.logger.info('a refresh token was refused', fields);
  }
}
