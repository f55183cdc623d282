import type { AuthorizationCode } from '../../../domain/oauth/authorization-code.js';
import type { Grant, NewGrant, RevocationReason } from '../../../domain/oauth/grant.js';
import type { ClaimedPerson } from '../../../domain/oauth/person-claims.js';
import type { RefreshToken } from '../../../domain/oauth/refresh-token.js';
import type { UserState } from '../../../domain/identity/user.js';
import type { UserId } from '../../../domain/shared/identifiers.js';
import type { Scope } from '../../../domain/shared/scope.js';

export type NewAuthorizationCode = Omit<AuthorizationCode, 'id' | 'grantId'> & { readonly digest: string };

/** Whom a code was given to, and for which application, as they are when it is redeemed. */
export interface CodeHolder extends ClaimedPerson {
  readonly state: UserState;
  readonly applicationName: string;
}

export interface AuthorizationCodeRepository {
  add(code: NewAuthorizationCode): Promise<void>;
  /** Used and expired ones too. Of many works that ask for one code, each waits for the one before it. */
  take(digest: string): Promise<AuthorizationCode | undefined>;
  holderOf(digest: string): Promise<CodeHolder | undefined>;
  /** Those that nobody has redeemed yet, of all applications or of one; waits for redemptions that are under way. */
  removeUnredeemedOf(userId: UserId, applicationId?: number): Promise<void>;
}

export interface NewAccessToken {
  readonly digest: string;
  readonly scopes: readonly Scope[];
  readonly createdAt: Date;
  readonly expiresAt: Date | null;
}

export interface NewTokenPair {
  readonly access: NewAccessToken;
  readonly refreshDigest: string;
}

/** What is redeemed, and what it is called. */
export interface RedeemedCode extends Pick<CodeHolder, 'username' | 'applicationName'> {
  readonly id: number;
}

/** A refresh token that was used: a newer one takes its place, and the access token that came with it ends; or it was used again. */
export type UsedRefreshToken =
  | { readonly use: 'first'; readonly id: number; readonly accessTokenId: number | null; readonly at: Date }
  | { readonly use: 'repeated'; readonly id: number };

/** Grants with their tokens, which are only ever written together. */
export interface GrantRepository {
  /** With an access token alone. */
  open(grant: NewGrant, token: NewAccessToken): Promise<Grant>;
  /** With a pair of tokens for a code, which is used from then on. @throws Outdated where it has been used. */
  redeem(code: RedeemedCode, grant: NewGrant, tokens: NewTokenPair): Promise<Grant>;
  /** Adds a pair of tokens for a refresh token. @throws Outdated where it has been replaced, and this is said to be its first use. */
  renew(grantId: number, tokens: NewTokenPair, used: UsedRefreshToken): Promise<void>;
  /** With every token of it. Leaves one alone that is revoked already. */
  revoke(id: number, reason: RevocationReason, at: Date): Promise<void>;
  /** Every grant of a user, or those of one application (null: those without one); answers how many there were. */
  revokeAllOf(userId: UserId, reason: RevocationReason, at: Date, applicationId?: number | null): Promise<number>;
  /** Several at once: the uses are gathered outside the requests. */
  recordUses(uses: ReadonlyMap<number, Date>): Promise<void>;
}

/** The grant of a refresh token, whose it is, and whether they may sign in. */
export interface TokenFamily {
  readonly grant: Grant;
  readonly owner: ClaimedPerson & { readonly state: UserState };
}

export interface RefreshTokenRepository {
  /** Replaced ones too. Of many works that ask for one token, each waits for the one before it. */
  take(digest: string): Promise<RefreshToken | undefined>;
  familyOf(digest: string): Promise<TokenFamily | undefined>;
}

/** What the use cases of tokens change. */
export interface OAuthRepositories {
  readonly authorizationCodes: AuthorizationCodeRepository;
  readonly grants: GrantRepository;
  readonly refreshTokens: RefreshTokenRepository;
}
