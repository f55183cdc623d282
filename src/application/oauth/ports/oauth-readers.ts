import type { AccessToken } from '../../../domain/oauth/access-token.js';
import type { Application } from '../../../domain/oauth/application.js';
import type { AuthorizationCode } from '../../../domain/oauth/authorization-code.js';
import type { Grant, RevocationReason } from '../../../domain/oauth/grant.js';
import type { RefreshToken } from '../../../domain/oauth/refresh-token.js';
import type { UserId } from '../../../domain/shared/identifiers.js';
import type { TokenOwner, UserProfile } from '../../identity/ports/identity-readers.js';
import type { CodeHolder, TokenFamily } from './oauth-repositories.js';

export interface AccessTokenWithOwner {
  readonly token: AccessToken;
  readonly owner: TokenOwner;
  /** Absent for a token that was given for a password without a client. */
  readonly application: Pick<Application, 'id' | 'uid'> | null;
  readonly grantLastUsedAt: Date | null;
}

export interface ActingToken extends Pick<AccessTokenWithOwner, 'token' | 'grantLastUsedAt'> {
  readonly owner: UserProfile;
}

export interface AccessTokenReader {
  /** Expired and revoked tokens are found too: the caller is told which it is. */
  findByDigest(digest: string): Promise<AccessTokenWithOwner | undefined>;
  /** The same for a token that somebody acts by. */
  findActing(digest: string): Promise<ActingToken | undefined>;
}

export interface RefreshTokenWithGrant {
  readonly owner: Pick<TokenOwner, 'username' | 'state'>;
  readonly grant: Grant;
  readonly application: Pick<Application, 'id' | 'uid'> | null;
  /** Whether it is the newest of its line. */
  readonly current: boolean;
  readonly createdAt: Date;
}

export interface RefreshTokenReader {
  findByDigest(digest: string): Promise<RefreshTokenWithGrant | undefined>;
  /** As it is now, held by nobody. */
  findPresented(digest: string): Promise<PresentedRefreshToken | undefined>;
}

export interface PresentedRefreshToken {
  readonly token: RefreshToken;
  readonly family: TokenFamily;
}

export interface PresentedCode {
  readonly code: AuthorizationCode;
  readonly holder: CodeHolder;
}

export interface AuthorizationCodeReader {
  /** As it is now, held by nobody. */
  findPresented(digest: string): Promise<PresentedCode | undefined>;
}

/** Everything that one person allowed one application. */
export interface ConnectedApplication {
  /** Absent for access given by password without a client. */
  readonly application: Application | null;
  readonly scopes: readonly string[];
  readonly since: Date;
  readonly lastUsedAt: Date | null;
}

/** Access that ended for a reason that its owner should hear of. */
export interface EndedAccess {
  readonly application: Application | null;
  readonly reason: RevocationReason;
  readonly at: Date;
}

export interface GrantReader {
  /** Every application that may act for the user now, with all that it was given. */
  connectionsOf(userId: UserId, now: Date): Promise<readonly ConnectedApplication[]>;
  /** Grants that ended for one of these reasons lately, the latest first. */
  endedOf(userId: UserId, reasons: readonly RevocationReason[], limit: number): Promise<readonly EndedAccess[]>;
  /** The scopes that the user has approved for the application himself, in grants that live. */
  approvedScopes(userId: UserId, applicationId: number, now: Date): Promise<ReadonlySet<string>>;
}
