/** A refresh token; only its digest is stored. Each use makes a new one. */
export interface RefreshToken {
  readonly id: number;
  readonly grantId: number;
  /** The access token that came with it; absent once that has been cleaned up. */
  readonly accessTokenId: number | null;
  /** When it was first used, and so replaced. */
  readonly rotatedAt: Date | null;
  /** How often it was used again since. */
  readonly repeats: number;
}

/** Repeats of a replaced token that count as a race or a lost answer, not as theft. */
export const MAX_REPEATS = 3;

export interface Refreshing {
  /** Whether the grant was given to the client that asks. */
  readonly byOwnClient: boolean;
  readonly grantRevoked: boolean;
  readonly graceSeconds: number;
  readonly now: Date;
}

export type RefreshDecision =
  | { readonly outcome: 'rotate'; readonly reason: 'first_use' }
  | { readonly outcome: 'repeat'; readonly reason: 'within_grace' }
  | { readonly outcome: 'theft'; readonly reason: 'other_client' | 'past_grace' | 'too_many_repeats' }
  | { readonly outcome: 'refused'; readonly reason: 'unknown' | 'revoked' | 'other_client' };

/**
 * What the use of a refresh token means (RFC 9700 §4.14.2). Clients that race each other, or lose an answer, repeat a token
 * within moments: that signs nobody out. Any other repeat means that two hold the token.
 */
export const decideRefresh = (token: RefreshToken | undefined, refreshing: Refreshing): RefreshDecision => {
  if (token === undefined) return { outcome: 'refused', reason: 'unknown' };
  const { byOwnClient, grantRevoked, graceSeconds, now } = refreshing;
  if (grantRevoked) return { outcome: 'refused', reason: 'revoked' };
  if (token.rotatedAt === null) {
    return byOwnClient ? { outcome: 'rotate', reason: 'first_use' } : { outcome: 'refused', reason: 'other_client' };
  }
  if (!byOwnClient) return { outcome: 'theft', reason: 'other_client' };
  if (now.getTime() - token.rotatedAt.getTime() > graceSeconds * 1_000)
    return { outcome: 'theft', reason: 'past_grace' };
  if (token.repeats >= MAX_REPEATS) return { outcome: 'theft', reason: 'too_many_repeats' };
  return { outcome: 'repeat', reason: 'within_grace' };
};
