import type { TokenUses } from '../../application/shared/token-uses.js';
import type { Applications } from '../../application/oauth/applications.js';
import type { AuthenticateClient } from '../../application/oauth/authenticate-client.js';
import type { Authorize } from '../../application/oauth/authorize.js';
import type { ConnectedApplications } from '../../application/oauth/connected-applications.js';
import type { ExchangePassword } from '../../application/oauth/exchange-password.js';
import type { IdTokens } from '../../application/oauth/id-tokens.js';
import type { InspectToken } from '../../application/oauth/inspect-token.js';
import type { ApplicationReader } from '../../application/oauth/ports/application-repository.js';
import type {
  AccessTokenReader,
  GrantReader,
  AuthorizationCodeReader,
  RefreshTokenReader,
} from '../../application/oauth/ports/oauth-readers.js';
import type { RedeemCode } from '../../application/oauth/redeem-code.js';
import type { RefreshAccess } from '../../application/oauth/refresh-access.js';
import type { RevokeToken } from '../../application/oauth/revoke-token.js';
import type { SignClaims } from '../../application/oauth/sign-claims.js';
import type { SigningKeys } from '../../application/oauth/signing-keys.js';
import type { OAuthEndpoint } from '../../adapters/inbound/http/oauth/oauth-endpoint.js';
import { token } from './token.js';

export interface OAuthReaders {
  readonly applications: ApplicationReader;
  readonly accessTokens: AccessTokenReader;
  readonly refreshTokens: RefreshTokenReader;
  readonly authorizationCodes: AuthorizationCodeReader;
  readonly grants: GrantReader;
  /** Gathers when grants were used. */
  readonly grantUses: TokenUses;
}

/** The applications that may ask people for access, what they are given, and the keys that sign it. */
export interface OAuthUseCases {
  readonly applications: Applications;
  readonly applicationReader: ApplicationReader;
  readonly signingKeys: SigningKeys;
  readonly authenticateClient: AuthenticateClient;
  readonly authorize: Authorize;
  readonly redeemCode: RedeemCode;
  readonly refreshAccess: RefreshAccess;
  readonly exchangePassword: ExchangePassword;
  readonly signClaims: SignClaims;
  readonly idTokens: IdTokens;
  readonly inspectToken: InspectToken;
  readonly revokeToken: RevokeToken;
  readonly connectedApplications: ConnectedApplications;
}

export const OAUTH_TOKENS = {
  signingKeys: token<SigningKeys>('SigningKeys'),
  oauthReaders: token<OAuthReaders>('OAuthReaders'),
  oauth: token<OAuthUseCases>('OAuthUseCases'),
  oauthEndpoints: token<readonly OAuthEndpoint[]>('OAuthEndpoints'),
} as const;
