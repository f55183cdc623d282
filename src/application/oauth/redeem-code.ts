import type { Application } from '../../domain/oauth/application.js';
import {
  decideRedemption,
  type AuthorizationCode,
  type RedemptionRefusal,
} from '../../domain/oauth/authorization-code.js';
import { refusal } from '../../domain/oauth/oauth-error.js';
import type { Clock } from '../shared/ports/clock.js';
import type { OAuthCounters } from './ports/oauth-counters.js';
import type { Logger } from '../shared/ports/logger.js';
import type { SecretDigester } from '../shared/ports/secrets.js';
import { together } from '../shared/together.js';
import type { UnitOfWork } from '../shared/unit-of-work.js';
import { refused, type IssuedResult, type RefusedResult, type TokenMint, type TokenResult } from './issued-token.js';
import type { CodeHolder, OAuthRepositories } from './ports/oauth-repositories.js';

export interface RedeemCodeCommand {
  readonly application: Application;
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

/** `grant_type=authorization_code` (RFC 6749 §4.1.3, RFC 7636 §4.5). */
export class RedeemCode {
  constructor(
    private readonly unitOfWork: UnitOfWork<OAuthRepositories>,
    private readonly mint: TokenMint,
    private readonly digester: SecretDigester,
    private readonly clock: Clock,
    private readonly counters: OAuthCounters,
    private readonly logger: Logger,
  ) {}

  async execute({ application, code, redirectUri, codeVerifier }: RedeemCodeCommand): Promise<TokenResult> {
    const now = this.clock.now();
    const redemption = {
      applicationId: application.id,
      redirectUri,
      codeVerifier,
      challengeOfVerifier: codeVerifier === undefined ? undefined : this.digester.challengeOf(codeVerifier),
      now,
    };
    const digest = this.digester.digest(code);
    // A refusal commits: what a code that is used twice had bought must stay revoked.
    const redeemed = await this.unitOfWork.execute(async (repositories): Promise<Redeemed> => {
      const { authorizationCodes } = repositories;
      // Asked for beside the code, and found as of when that is held.
      const [code, holder] = await together([authorizationCodes.take(digest), authorizationCodes.holderOf(digest)]);
      const decision = decideRedemption(code, redemption);
      if (decision.outcome === 'redeem') return this.#redeem(repositories, decision.code, holder, now);
      if (decision.outcome === 'refused') return { ...refused(decision.refusal), reason: decision.reason };
      await repositories.grants.revoke(decision.grantId, 'code_reused', now);
      return refusedFor('used_before');
    });
    this.#report(redeemed, application);
    return redeemed;
  }

  #report(redeemed: Redeemed, { uid: application }: Application): void {
    if (redeemed.outcome === 'issued') {
      this.counters.count('tokens_issued_total', { grant: 'authorization_code' });
      return;
    }
    const { reason } = redeemed;
    this.counters.count('code_refusals_total', { reason });
    if (reason === 'used_before') {
      this.counters.count('token_reuses_total', { kind: 'authorization_code' });
      this.logger.warn('an authorization code was used twice', { application });
    } else this.logger.info('an authorization code was refused', { reason, application });
  }

  async #redeem(
    { grants }: OAuthRepositories,
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
    const tokens = this.mint.pair(scopes, now);
    const redeemed = await grants.redeem({ id, ...holder }, grant, tokens.stored);
    return { outcome: 'issued', token: tokens.handOut(redeemed) };
  }
}
