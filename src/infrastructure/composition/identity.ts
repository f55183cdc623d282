import type { Authenticate } from '../../application/identity/authenticate.js';
import type { PersonalAccessTokenReader, UserReader } from '../../application/identity/ports/identity-readers.js';
import type { TokenUses } from '../../application/identity/token-uses.js';

export interface IdentityReaders {
  readonly users: UserReader;
  readonly personalAccessTokens: PersonalAccessTokenReader;
}

/** Sign-in, users, addresses and tokens. */
export interface IdentityUseCases {
  readonly authenticate: Authenticate;
  readonly tokenUses: TokenUses;
}
