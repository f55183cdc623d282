import type { MatchedPassword } from '../../identity/operations/matched-password.js';
import type { OfferedPassword } from '../../identity/ports/password-hasher.js';

/** Proves by name and password who somebody is; failures count towards the lock of the account. */
export interface ResourceOwnerPassword {
  byPassword(
    login: string,
    password: OfferedPassword,
  ): Promise<
    | ({ readonly outcome: 'signed_in' } & MatchedPassword)
    | { readonly outcome: 'second_factor_needed' | 'refused' | 'blocked' | 'unconfirmed' }
  >;
}
