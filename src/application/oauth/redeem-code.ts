import type { Application } from '../../domain/oauth/application.js';
import {
  decideRedemption,
  type AuthorizationCode,
  type Redemption,
  type RedemptionRefusal,
} from '../../domain/oauth/authorization-code.js';
import { refusal } from '../../domain/oauth/oauth-error.js';
import type { Clock } from '../shared/ports/clock.js';
import type { OAuthCounters } from './ports/oauth-counters.js';
import type { Logger } from '../shared/ports/logger.js';
import type { SecretDigester } from '../shared/ports/secrets.js';
import { Outdated } from '../shared/outdated.js';
import { together } from '../shared/together.js';
import type { UnitOfWork } from '../shared/unit-of-work.js';
import { refused, type IssuedResult, type RefusedResult, type TokenMint, type TokenResult } from './issued-token.js';
import type { AuthorizationCodeReader, PresentedCode } from './ports/oauth-readers.js';
import type { CodeHolder, GrantRepository, OAuthRepositories } from './ports/oauth-repositories.js';

export interface RedeemCodeCommand {
  /** Who asks, which is found out beside the code. */
  readonly asking: Promise<Application>;
  readonly code: string;
  readonly redirectUri: string;
  readonly codeVerifier: string | undefined;
}

type Redeemed =
  IssuedResult | (RefusedResult & { readonly reason: RedemptionRefusal | 'used_before' | 'owner_inactive' });

const refusedFor = (reason: 'used_before' | 'owner_inactive'): Redeemed => ({
  ...refused(refusal('invalid_grant')),
  reason,
});

export interface RedeemCodeParts {
  readonly unitOfWork: UnitOfWork<OAuthRepositories>;
  readonly codes: AuthorizationCodeReader;
  readonly mint: TokenMint;
  readonly digester: SecretDigester;
  readonly clock: Clock;
  readonly counters: OAuthCounters;
  readonly logger: Logger;
}

/** `grant_type=authorization_code` (RFC 6749 §4.1.3, RFC 7636 §4.5). */
export class RedeemCode {
  constructor(private readonly parts: RedeemCodeParts) {}

  async execute({ asking, code, redirectUri, codeVerifier }: RedeemCodeCommand): Promise<TokenResult> {
    const digest = this.parts.digester.digest(code);
    const [application, presented] = await Promise.all([asking, this.parts.codes.findPresented(digest)]);
    const now = this.parts.clock.now();
    const redemption = {
      applicationId: application.id,
      redirectUri,
      codeVerifier,
      challengeOfVerifier: codeVerifier === undefined ? undefined : this.parts.digester.challengeOf(codeVerifier),
      now,
    };
    const redeemed = (await this.#redeemUnheld(presented, redemption)) ?? (await this.#redeemHeld(digest, redemption));
    this.#report(redeemed, application);
    return redeemed;
  }

  /**
   * As nearly all are: what buys tokens by what was found buys them if it is still so when they are written. What is refused writes
   * nothing, so that nobody waits for a turn to write because others send what was never a code.
   */
  async #redeemUnheld(presented: PresentedCode | undefined, redemption: Redemption): Promise<Redeemed | undefined> {
    const decision = decideRedemption(presented?.code, redemption);
    if (decision.outcome === 'refused') return { ...refused(decision.refusal), reason: decision.reason };
    if (decision.outcome !== 'redeem') return undefined;
    try {
      return await this.parts.unitOfWork.execute(
        ({ grants }) => this.#redeem(grants, decision.code, presented?.holder, redemption.now),
        'at once',
      );
    } catch (error) {
      if (error instanceof Outdated) return undefined;
      throw error;
    }
  }

  /** Whoever else presents the code waits. A refusal commits: what a code that is used twice had bought must stay revoked. */
  #redeemHeld(digest: string, redemption: Redemption): Promise<Redeemed> {
    return this.parts.unitOfWork.execute(async ({ authorizationCodes, grants }): Promise<Redeemed> => {
      // Asked for beside the code, and found as of when that is held.
      const [code, holder] = await together([authorizationCodes.take(digest), authorizationCodes.holderOf(digest)]);
      const decision = decideRedemption(code, redemption);
      if (decision.outcome === 'redeem') return this.#redeem(grants, decision.code, holder, redemption.now);
      if (decision.outcome === 'refused') return { ...refused(decision.refusal), reason: decision.reason };
      await grants.revoke(decision.grantId, 'code_reused', redemption.now);
      return refusedFor('used_before');
    });
  }

  #report(redeemed: Redeemed, { uid: application }: Application): void {
    if (redeemed.outcome === 'issued') {
      this.parts.counters.count('tokens_issued_total', { grant: 'authorization_code' });
      return;
    }
    const { reason } = redeemed;
    this.parts.counters.count('code_refusals_total', { reason });
    if (reason === 'used_before') {
      this.parts.counters.count('token_reuses_total', { kind: 'authorization_code' });
      this.parts.logger.warn('an authorization code was used twice', { application });
    } else this.parts.logger.info('an authorization code was refused', { reason, application });
  }

  async #redeem(
    grants: GrantRepository,
    code: AuthorizationCode,
    holder: CodeHolder | undefined,
    now: Date,
  ): Promise<Redeemed> {
    if (holder?.state !== 'active') return refusedFor('owner_inactive');
    const { id, userId, applicationId, scopes, nonce, authenticatedAt } = code;
    const kind = 'authorization_code';
    const grant = {
      userId,
      applicationId,
      kind,
      scopes,
      nonce,
      authenticatedAt,
      createdAt: now,
      expiresAt: null,
    } as const;
    const tokens = this.parts.mint.pair(scopes, now);
    const redeemed = await grants.redeem({ id, ...holder }, grant, tokens.stored);
    return { outcome: 'issued', token: tokens.handOut(redeemed, holder) };
  }
}
