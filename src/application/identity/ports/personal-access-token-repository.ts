import type { PersonalAccessToken } from '../../../domain/identity/personal-access-token.js';
import type { UserId } from '../../../domain/shared/identifiers.js';

export type NewPersonalAccessToken = Pick<
  PersonalAccessToken,
  'userId' | 'name' | 'scopes' | 'expiresAt' | 'createdAt'
> & {
  readonly digest: string;
  /** Of one that takes the place of another. */
  readonly familyId?: number;
  readonly description?: string | null;
};

export interface PersonalAccessTokenRepository {
  find(id: number): Promise<PersonalAccessToken | undefined>;
  /** The one that came last of this one by rotation, unless it is revoked. */
  findSuccessor(token: PersonalAccessToken): Promise<PersonalAccessToken | undefined>;
  add(token: NewPersonalAccessToken): Promise<PersonalAccessToken>;
  /** False for a token that is revoked already, which is left alone. */
  revoke(id: number, at: Date): Promise<boolean>;
  /** Revokes all tokens of a user and answers how many there were. */
  revokeAllOf(userId: UserId, at: Date): Promise<number>;
  /** Several at once: the uses are gathered outside the requests. */
  recordUses(uses: ReadonlyMap<number, Date>): Promise<void>;
}
