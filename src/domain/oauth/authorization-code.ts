import type { Scope } from '../shared/scope.js';
import type { UserId } from '../shared/identifiers.js';
import { isCodeVerifier } from './pkce.js';
import { missingParameter, refusal, type OAuthRefusal } from './oauth-error.js';

/** Single use, ten minutes (RFC 6749 §4.1.2). */
export const CODE_LIFETIME_SECONDS = 600;

export interface AuthorizationCode {
  readonly id: number;
  readonly userId: UserId;
  readonly applicationId: number;
  /** What it was redeemed for; absent while it has not been. */
  readonly grantId: number | null;
  readonly redirectUri: string;
  readonly scopes: readonly Scope[];
  readonly codeChallenge: string | null;
  readonly nonce: string | null;
  readonly authenticatedAt: Date;
  readonly createdAt: Date;
  readonly expiresAt: Date;
}

/** What a client presents to redeem a code. */
export interface Redemption {
  readonly applicationId: number;
  readonly redirectUri: string;
  readonly codeVerifier: string | undefined;
  /** The challenge that the verifier makes (RFC 7636 §4.6); undefined without a verifier. */
  readonly challengeOfVerifier: string | undefined;
  readonly now: Date;
}

/** Why a code buys nothing. */
export type RedemptionRefusal =
  | 'unknown'
  | 'other_client'
  | 'expired'
  | 'other_redirect_uri'
  | 'verifier_missing'
  | 'verifier_unexpected'
  | 'verifier_differs';

export type RedemptionDecision =
  | { readonly outcome: 'redeem'; readonly code: AuthorizationCode }
  /** Somebody has it who should not: what it was redeemed for is to be revoked (RFC 6749 §4.1.2). */
  | { readonly outcome: 'reused'; readonly grantId: number }
  | { readonly outcome: 'refused'; readonly reason: RedemptionRefusal; readonly refusal: OAuthRefusal };

type Check = (code: AuthorizationCode, redemption: Redemption) => RedemptionDecision | undefined;

const refuse = (reason: RedemptionRefusal, why: OAuthRefusal = refusal('invalid_grant')): RedemptionDecision => ({
  outcome: 'refused',
  reason,
  refusal: why,
});

/** RFC 6749 §4.1.3: "ensure that the authorization code was issued to the authenticated … client". */
const ofThisClient: Check = (code, { applicationId }) =>
  code.applicationId === applicationId ? undefined : refuse('other_client');

/** RFC 6749 §4.1.2: "The client MUST NOT use the authorization code more than once." */
const unused: Check = ({ grantId }) => (grantId === null ? undefined : { outcome: 'reused', grantId });

/** RFC 6749 §4.1.2: "The authorization code MUST expire shortly after it is issued". */
const unexpired: Check = ({ expiresAt }, { now }) => (expiresAt > now ? undefined : refuse('expired'));

/** RFC 6749 §4.1.3: the redirect URIs of both requests "MUST be identical". */
const sameRedirectUri: Check = (code, { redirectUri }) =>
  code.redirectUri === redirectUri ? undefined : refuse('other_redirect_uri');

/** RFC 7636 §4.5: who sent a challenge shows the verifier. */
const verifierPresent: Check = ({ codeChallenge }, { codeVerifier }) =>
  codeChallenge === null || codeVerifier !== undefined
    ? undefined
    : refuse('verifier_missing', missingParameter('code_verifier'));

/** RFC 9700 §4.8.2: a verifier without a challenge is a downgrade. */
const verifierExpected: Check = ({ codeChallenge }, { codeVerifier }) =>
  codeChallenge !== null || codeVerifier === undefined ? undefined : refuse('verifier_unexpected');

/** RFC 7636 §4.1 and §4.6. */
const verifierMatches: Check = ({ codeChallenge }, { codeVerifier, challengeOfVerifier }) => {
  if (codeChallenge === null || codeVerifier === undefined) return undefined;
  return isCodeVerifier(codeVerifier) && challengeOfVerifier === codeChallenge ? undefined : refuse('verifier_differs');
};

const REDEMPTION_CHECKS: readonly Check[] = [
  ofThisClient,
  unused,
  unexpired,
  sameRedirectUri,
  verifierPresent,
  verifierExpected,
  verifierMatches,
];

/** Whether a code buys tokens; the first check that fails decides. */
export const decideRedemption = (code: AuthorizationCode | undefined, redemption: Redemption): RedemptionDecision => {
  if (code === undefined) return refuse('unknown');
  for (const check of REDEMPTION_CHECKS) {
    const decision = check(code, redemption);
    if (decision !== undefined) return decision;
  }
  return { outcome: 'redeem', code };
};
