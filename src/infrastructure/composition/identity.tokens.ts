import type { Account } from '../../application/identity/account.js';
import type { AdministerUsers } from '../../application/identity/administer-users.js';
import type { Authenticate } from '../../application/identity/authenticate.js';
import type { CreateUser } from '../../application/identity/create-user.js';
import type { EmailAddresses } from '../../application/identity/email-addresses.js';
import type { ForgottenPassword } from '../../application/identity/forgotten-password.js';
import type { PersonalAccessTokens } from '../../application/identity/personal-access-tokens.js';
import type { PersonalAccessTokenReader, UserReader } from '../../application/identity/ports/identity-readers.js';
import type { SessionReader } from '../../application/identity/ports/session-repository.js';
import type { ProveIdentity } from '../../application/identity/prove-identity.js';
import type { SecurityEventReader } from '../../application/identity/ports/security-event-repository.js';
import type { Sessions } from '../../application/identity/sessions.js';
import type { SignIn } from '../../application/identity/sign-in.js';
import type { TwoFactorSettings } from '../../application/identity/two-factor.js';
import type { TokenUses } from '../../application/shared/token-uses.js';
import { token } from './token.js';

export interface IdentityReaders {
  readonly securityEvents: SecurityEventReader;
  readonly users: UserReader;
  readonly personalAccessTokens: PersonalAccessTokenReader;
  readonly sessions: SessionReader;
}

/** Sign-in, users, addresses and tokens. */
export interface IdentityUseCases {
  readonly authenticate: Authenticate;
  readonly tokenUses: TokenUses;
  readonly createUser: CreateUser;
  readonly administerUsers: AdministerUsers;
  readonly emailAddresses: EmailAddresses;
  readonly personalAccessTokens: PersonalAccessTokens;
  readonly signIn: SignIn;
  readonly sessions: Sessions;
  readonly account: Account;
  readonly forgottenPassword: ForgottenPassword;
  readonly twoFactor: TwoFactorSettings;
  readonly proveIdentity: ProveIdentity;
}

export const IDENTITY_TOKENS = {
  identityReaders: token<IdentityReaders>('IdentityReaders'),
  identity: token<IdentityUseCases>('IdentityUseCases'),
} as const;
