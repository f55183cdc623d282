import type { UserId } from '../shared/identifiers.js';
import type { Scope } from '../shared/scope.js';

export interface PersonalAccessToken {
  readonly id: number;
  readonly userId: UserId;
  readonly name: string;
  /** What it is for; null where nobody said. */
  readonly description: string | null;
  readonly scopes: readonly Scope[];
  /** UTC day on which the token stops working, `YYYY-MM-DD`. */
  readonly expiresAt: string | null;
  readonly revokedAt: Date | null;
  readonly lastUsedAt: Date | null;
  readonly createdAt: Date;
  /** The first of the tokens that this one came of by rotation; null for one that was made anew. */
  readonly familyId: number | null;
}

/** A token of a project or group: the personal access token of its bot, with the level that this has there. */
export type AccessToken = PersonalAccessToken & { readonly accessLevel: number };

export type TokenState = 'active' | 'expired' | 'revoked';

/** How long a token lasts that takes the place of another one, where nobody says how long. */
export const ROTATED_LASTS_DAYS = 7;

/** The family of a token and of whatever takes its place. */
export const familyOf = ({ id, familyId }: Pick<PersonalAccessToken, 'id' | 'familyId'>): number => familyId ?? id;

/** An expiry outranks a revocation, as API clients are told the expiry first. */
export const tokenState = (token: Pick<PersonalAccessToken, 'expiresAt' | 'revokedAt'>, now: Date): TokenState => {
  if (token.expiresAt !== null && token.expiresAt <= now.toISOString().slice(0, 10)) return 'expired';
  return token.revokedAt === null ? 'active' : 'revoked';
};
