import type { AccessToken } from '../../../domain/oauth/access-token.js';
import type { Application } from '../../../domain/oauth/application.js';
import type { Grant } from '../../../domain/oauth/grant.js';
import type { UserId } from '../../../domain/shared/identifiers.js';
import type { TokenOwner } from '../../identity/ports/identity-readers.js';

export interface AccessTokenWithOwner {
  readonly token: AccessToken;
  readonly owner: TokenOwner;
  /** Absent for a token that was given for a password without a client. */
  readonly application: Pick<Application, 'id' | 'uid'> | null;
  readonly grantLastUsedAt: Date | null;
}

export interface AccessTokenReader {
  /** Expired and revoked tokens are found too: the caller is told which it is. */
  findByDigest(digest: string): Promise<AccessTokenWithOwner | undefined>;
}

export interface RefreshTokenWithGrant {
  readonly grant: Grant;
  readonly application: Pick<Application, 'id' | 'uid'> | null;
  /** Whether it is the newest of its line. */
  readonly current: boolean;
  readonly createdAt: Date;
}

export interface RefreshTokenReader {
  findByDigest(digest: string): Promise<RefreshTokenWithGrant | undefined>;
}

/** A grant beside the application that it was given to. */
export interface GrantToApplication {
  readonly grant: Grant;
  readonly application: Application | null;
}

export interface GrantReader {
  /** The newest first, at most `limit`; with those that were revoked lately. */
  listOf(userId: UserId, limit: number): Promise<readonly GrantToApplication[]>;
  /** Whether the user has approved all these scopes for the application, in grants that live. */
  approvedScopes(userId: UserId, applicationId: number): Promise<ReadonlySet<string>>;
}
