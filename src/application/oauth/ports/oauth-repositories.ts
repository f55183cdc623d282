import type { AuthorizationCode } from '../../../domain/oauth/authorization-code.js';
import type { Grant, NewGrant, RevocationReason } from '../../../domain/oauth/grant.js';
import type { RefreshToken } from '../../../domain/oauth/refresh-token.js';
import type { UserId } from '../../../domain/shared/identifiers.js';
import type { Scope } from '../../../domain/shared/scope.js';

export type NewAuthorizationCode = Omit<AuthorizationCode, 'id' | 'grantId'> & { readonly digest: string };

export interface AuthorizationCodeRepository {
  add(code: NewAuthorizationCode): Promise<void>;
  /** Used and expired ones too. Of many works that ask for one code, each waits for the one before it. */
  take(digest: string): Promise<AuthorizationCode | undefined>;
  /** Remembers what the code was redeemed for: from then on it is used. */
  markRedeemed(id: number, grantId: number): Promise<void>;
  /** Those that nobody has redeemed yet, of all applications or of one; waits for redemptions that are under way. */
  removeUnredeemedOf(userId: UserId, applicationId?: number): Promise<void>;
}

export interface GrantRepository {
  add(grant: NewGrant): Promise<Grant>;
  find(id: number): Promise<Grant | undefined>;
  /** With every token of it. Leaves one alone that is revoked already. */
  revoke(id: number, reason: RevocationReason, at: Date): Promise<void>;
  /** Every grant of a user, or those of one application (null: those without one); answers how many there were. */
  revokeAllOf(userId: UserId, reason: RevocationReason, at: Date, applicationId?: number | null): Promise<number>;
  /** Several at once: the uses are gathered outside the requests. */
  recordUses(uses: ReadonlyMap<number, Date>): Promise<void>;
}

export interface NewAccessToken {
  readonly digest: string;
  readonly grantId: number;
  readonly scopes: readonly Scope[];
  readonly createdAt: Date;
  readonly expiresAt: Date | null;
}

export interface AccessTokenRepository {
  /** Answers its id. */
  add(token: NewAccessToken): Promise<number>;
  revoke(id: number, at: Date): Promise<void>;
}

export interface NewRefreshToken {
  readonly digest: string;
  readonly grantId: number;
  readonly accessTokenId: number;
  readonly createdAt: Date;
}

export interface RefreshTokenRepository {
  add(token: NewRefreshToken): Promise<void>;
  /** Replaced ones too. Of many works that ask for one token, each waits for the one before it. */
  take(digest: string): Promise<RefreshToken | undefined>;
  /** A newer one takes its place. */
  markRotated(id: number, at: Date): Promise<void>;
  countRepeat(id: number): Promise<void>;
}

/** What the use cases of tokens change. */
export interface OAuthRepositories {
  readonly authorizationCodes: AuthorizationCodeRepository;
  readonly grants: GrantRepository;
  readonly accessTokens: AccessTokenRepository;
  readonly refreshTokens: RefreshTokenRepository;
}
