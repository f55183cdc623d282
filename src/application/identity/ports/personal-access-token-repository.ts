import type { PersonalAccessToken } from '../../../domain/identity/personal-access-token.js';
import type { UserId } from '../../../domain/shared/identifiers.js';

export type NewPersonalAccessToken = Pick<
  PersonalAccessToken,
  'userId' | 'name' | 'scopes' | 'expiresAt' | 'createdAt'
> & { readonly digest: string };

export interface PersonalAccessTokenRepository {
  find(id: number): Promise<PersonalAccessToken | undefined>;
  add(token: NewPersonalAccessToken): Promise<PersonalAccessToken>;
  /** Leaves a token alone that is revoked already. */
  revoke(id: number, at: Date): Promise<void>;
  /** Revokes all tokens of a user and answers how many there were. */
  revokeAllOf(userId: UserId, at: Date): Promise<number>;
  /** Several at once: the uses are gathered outside the requests. */
  recordUses(uses: ReadonlyMap<number, Date>): Promise<void>;
}
