import type { Scope } from '../shared/scope.js';
import type { UserId } from '../shared/identifiers.js';

/** By which flow somebody gave access (RFC 6749 §4.1, §4.2, §4.3). */
export type GrantKind = 'authorization_code' | 'implicit' | 'password';

/** Why access ended before its time. People read it on the page of their applications. */
export type RevocationReason =
  'revoked_by_user' | 'revoked_by_client' | 'code_reused' | 'refresh_token_reused' | 'password_changed';

/** What one person allowed one application, with all the tokens that came of it: the family of a refresh token. */
export interface Grant {
  readonly id: number;
  readonly userId: UserId;
  /** Absent for the password of a person given without a client. */
  readonly applicationId: number | null;
  readonly kind: GrantKind;
  readonly scopes: readonly Scope[];
  /** Repeated in the ID token (OpenID Connect Core §2). */
  readonly nonce: string | null;
  /** When the person proved who they are. */
  readonly authenticatedAt: Date;
  readonly createdAt: Date;
  readonly lastUsedAt: Date | null;
  readonly revokedAt: Date | null;
  readonly revocationReason: RevocationReason | null;
}

export type NewGrant = Omit<Grant, 'id' | 'lastUsedAt' | 'revokedAt' | 'revocationReason'> & {
  /** When nothing of it can work any more; null when it has a refresh token or a token that never expires. */
  readonly expiresAt: Date | null;
};

/** How long what has ended is kept, in days: a repeat is recognised as long, and people see as long why it ended. */
export const ENDED_KEPT_DAYS = 30;

const DAY_MS = 86_400_000;

export const keptUntil = (endedAt: Date): Date => new Date(endedAt.getTime() + ENDED_KEPT_DAYS * DAY_MS);
