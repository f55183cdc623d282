import type { Application } from '../../domain/oauth/application.js';
import type { Grant } from '../../domain/oauth/grant.js';
import { refusal } from '../../domain/oauth/oauth-error.js';
import { decideRefresh, type RefreshDecision, type RefreshToken } from '../../domain/oauth/refresh-token.js';
import { isAmong, readScopes } from '../../domain/oauth/requested-scopes.js';
import type { Clock } from '../shared/ports/clock.js';
import type { OAuthCounters } from './ports/oauth-counters.js';
import type { Logger } from '../shared/ports/logger.js';
import type { SecretDigester } from '../shared/ports/secrets.js';
import { Outdated } from '../shared/outdated.js';
import { together } from '../shared/together.js';
import type { UnitOfWork } from '../shared/unit-of-work.js';
import { refused, type IssuedResult, type RefusedResult, type TokenMint, type TokenResult } from './issued-token.js';
import type { RefreshTokenReader } from './ports/oauth-readers.js';
import type { GrantRepository, OAuthRepositories, TokenFamily, UsedRefreshToken } from './ports/oauth-repositories.js';

export interface RefreshAccessCommand {
  /** Who asks, which is found out beside the token. */
  readonly asking: Promise<Application>;
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
  readonly token?: RefreshToken | undefined;
  readonly family?: TokenFamily | undefined;
}

interface Refreshing extends Pick<RefreshAccessCommand, 'scope'> {
  readonly application: Application;
}

/** What came of it, and of what it was decided. */
interface Attempt {
  readonly refreshed: Refreshed;
  readonly grant: Grant | undefined;
  readonly decision: RefreshDecision;
}

const usedAs = (outcome: 'rotate' | 'repeat', { id, accessTokenId }: RefreshToken, at: Date): UsedRefreshToken =>
  outcome === 'rotate' ? { use: 'first', id, accessTokenId, at } : { use: 'repeated', id };

export interface RefreshAccessParts {
  readonly unitOfWork: UnitOfWork<OAuthRepositories>;
  readonly refreshTokens: RefreshTokenReader;
  readonly mint: TokenMint;
  readonly digester: SecretDigester;
  readonly clock: Clock;
  readonly graceSeconds: number;
  readonly counters: OAuthCounters;
  readonly logger: Logger;
}

/** `grant_type=refresh_token` (RFC 6749 §6), rotating as RFC 9700 §4.14 advises. */
export class RefreshAccess {
  constructor(private readonly parts: RefreshAccessParts) {}

  async execute(command: RefreshAccessCommand): Promise<TokenResult> {
    const digest = this.parts.digester.digest(command.refreshToken);
    const [application, presented] = await Promise.all([
      command.asking,
      this.parts.refreshTokens.findPresented(digest),
    ]);
    const refreshing = { application, scope: command.scope };
    const { refreshed, grant, decision } =
      (await this.#refreshUnheld(presented, refreshing)) ?? (await this.#refreshHeld(digest, refreshing));
    if (refreshed.outcome === 'issued') this.parts.counters.count('tokens_issued_total', { grant: 'refresh_token' });
    else this.#report(refreshed.reason, decision, application, grant);
    return refreshed;
  }

  /**
   * As nearly all are: what is used for the first time by what was found is renewed if it is still so when that is written. What is
   * refused writes nothing, so that nobody waits for a turn to write because others send what was never a token.
   */
  async #refreshUnheld(presented: FoundToken = {}, refreshing: Refreshing): Promise<Attempt | undefined> {
    const grant = presented.family?.grant;
    const decision = this.#decide(presented.token, grant, refreshing.application);
    if (decision.outcome === 'refused') return { refreshed: refusedFor(decision.reason), grant, decision };
    if (decision.outcome !== 'rotate') return undefined;
    try {
      const refreshed = await this.parts.unitOfWork.execute(
        ({ grants }) => this.#carryOut(grants, decision, presented, refreshing),
        'at once',
      );
      return { refreshed, grant, decision };
    } catch (error) {
      if (error instanceof Outdated) return undefined;
      throw error;
    }
  }

  /** Whoever else presents the token waits. A refusal commits: a family that was revoked for theft must stay revoked. */
  #refreshHeld(digest: string, refreshing: Refreshing): Promise<Attempt> {
    return this.parts.unitOfWork.execute(async ({ grants, refreshTokens }) => {
      // Asked for beside the token, and found as of when that is held.
      const [token, family] = await together([refreshTokens.take(digest), refreshTokens.familyOf(digest)]);
      const decision = this.#decide(token, family?.grant, refreshing.application);
      const refreshed = await this.#carryOut(grants, decision, { token, family }, refreshing);
      return { refreshed, grant: family?.grant, decision };
    });
  }

  #decide(token: RefreshToken | undefined, grant: Grant | undefined, application: Application): RefreshDecision {
    return decideRefresh(token, {
      byOwnClient: grant?.applicationId === application.id,
      grantRevoked: grant?.revokedAt != null,
      graceSeconds: this.parts.graceSeconds,
      now: this.parts.clock.now(),
    });
  }

  async #carryOut(
    grants: GrantRepository,
    decision: RefreshDecision,
    { token, family }: FoundToken,
    { scope }: Refreshing,
  ): Promise<Refreshed> {
    const now = this.parts.clock.now();
    if (decision.outcome === 'refused') return refusedFor(decision.reason);
    if (token === undefined || family === undefined) return refusedFor('unknown');
    const { grant, owner } = family;
    if (decision.outcome === 'theft') {
      await grants.revoke(grant.id, 'refresh_token_reused', now);
      return refusedFor(decision.reason);
    }
    if (owner.state !== 'active') return refusedFor('owner_inactive');
    const scopes = scope === undefined ? grant.scopes : readScopes(scope);
    if (scopes === undefined || !isAmong(scopes, grant.scopes)) return refusedFor('scope_exceeded', 'invalid_scope');
    const tokens = this.parts.mint.pair(scopes, now);
    await grants.renew(grant.id, tokens.stored, usedAs(decision.outcome, token, now));
    return { outcome: 'issued', token: tokens.handOut(grant, owner) };
  }

  #report(
    reason: RefreshRefusal,
    { outcome }: RefreshDecision,
    { uid: application }: Application,
    grant: Grant | undefined,
  ): void {
    const fields = { reason, application, grantId: grant?.id, userId: grant?.userId };
    this.parts.counters.count('refresh_refusals_total', { reason });
    if (outcome === 'theft') {
      this.parts.counters.count('token_reuses_total', { kind: 'refresh_token' });
      this.parts.logger.warn('a refresh token was used again: its family was revoked', fields);
    } else this.parts.logger.info('a refresh token was refused', fields);
  }
}
