import type { Scope } from '../shared/scope.js';

/** An OAuth access token; only its digest is stored. */
export interface AccessToken {
  readonly id: number;
  readonly grantId: number;
  readonly scopes: readonly Scope[];
  readonly createdAt: Date;
  /** Absent when it never expires. */
  readonly expiresAt: Date | null;
  /** It alone was revoked, or the grant that it belongs to. */
  readonly revoked: boolean;
}

export type AccessTokenState = 'active' | 'expired' | 'revoked';

/** An expiry outranks a revocation, as API clients are told the expiry first. */
export const accessTokenState = (
  { expiresAt, revoked }: Pick<AccessToken, 'expiresAt' | 'revoked'>,
  now: Date,
): AccessTokenState => {
  if (expiresAt !== null && expiresAt <= now) return 'expired';
  return revoked ? 'revoked' : 'active';
};

/** Whole seconds that are left, as clients are told (RFC 6749 §5.1); null when it never expires. */
export const secondsLeft = ({ expiresAt }: Pick<AccessToken, 'expiresAt'>, now: Date): number | null =>
  expiresAt === null ? null : Math.max(0, Math.floor((expiresAt.getTime() - now.getTime()) / 1_000));

/** @param ttlSeconds 0 for a token that never expires. */
export const expiryOf = (now: Date, ttlSeconds: number): Date | null =>
  ttlSeconds === 0 ? null : new Date(now.getTime() + ttlSeconds * 1_000);
