import type { Application } from '../../domain/oauth/application.js';
import type { Grant } from '../../domain/oauth/grant.js';
import { refusal } from '../../domain/oauth/oauth-error.js';
import { decideRefresh, type RefreshDecision, type RefreshToken } from '../../domain/oauth/refresh-token.js';
import { isAmong, readScopes } from '../../domain/oauth/requested-scopes.js';
import type { Clock } from '../shared/ports/clock.js';
import type { OAuthCounters } from './ports/oauth-counters.js';
import type { Logger } from '../shared/ports/logger.js';
import type { SecretDigester } from '../shared/ports/secrets.js';
import { together } from '../shared/together.js';
import type { UnitOfWork } from '../shared/unit-of-work.js';
import { refused, type IssuedResult, type RefusedResult, type TokenMint, type TokenResult } from './issued-token.js';
import type { OAuthRepositories, TokenFamily, UsedRefreshToken } from './ports/oauth-repositories.js';

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

interface FoundToken {
  readonly token: RefreshToken | undefined;
  readonly family: TokenFamily | undefined;
}

const usedAs = (outcome: 'rotate' | 'repeat', { id, accessTokenId }: RefreshToken, at: Date): UsedRefreshToken =>
  outcome === 'rotate' ? { use: 'first', id, accessTokenId, at } : { use: 'repeated', id };

/** `grant_type=refresh_token` (RFC 6749 §6), rotating as RFC 9700 §4.14 advises. */
export class RefreshAccess {
  constructor(
    private readonly unitOfWork: UnitOfWork<OAuthRepositories>,
    private readonly mint: TokenMint,
    private readonly digester: SecretDigester,
    private readonly clock: Clock,
    private readonly graceSeconds: number,
    private readonly counters: OAuthCounters,
    private readonly logger: Logger,
  ) {}

  async execute(command: RefreshAccessCommand): Promise<TokenResult> {
    const digest = this.digester.digest(command.refreshToken);
    // A refusal commits: a family that was revoked for theft must stay revoked.
    const { refreshed, grant, decision } = await this.unitOfWork.execute(async (repositories) => {
      const { refreshTokens } = repositories;
      // Asked for beside the token, and found as of when that is held.
      const [token, family] = await together([refreshTokens.take(digest), refreshTokens.familyOf(digest)]);
      const decision = this.#decide(token, family?.grant, command.application);
      const refreshed = await this.#carryOut(repositories, decision, { token, family }, command);
      return { refreshed, grant: family?.grant, decision };
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
    { grants }: OAuthRepositories,
    decision: RefreshDecision,
    { token, family }: FoundToken,
    { scope }: RefreshAccessCommand,
  ): Promise<Refreshed> {
    const now = this.clock.now();
    if (decision.outcome === 'refused') return refusedFor(decision.reason);
    if (token === undefined || family === undefined) return refusedFor('unknown');
    const { grant, ownerState } = family;
    if (decision.outcome === 'theft') {
      await grants.revoke(grant.id, 'refresh_token_reused', now);
      return refusedFor(decision.reason);
    }
    if (ownerState !== 'active') return refusedFor('owner_inactive');
    const scopes = scope === undefined ? grant.scopes : readScopes(scope);
    if (scopes === undefined || !isAmong(scopes, grant.scopes)) return refusedFor('scope_exceeded', 'invalid_scope');
    const tokens = this.mint.pair(scopes, now);
    await grants.renew(grant.id, tokens.stored, usedAs(decision.outcome, token, now));
    return { outcome: 'issued', token: tokens.handOut(grant) };
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
