import { Type } from '@sinclair/typebox';
import type { Request } from 'express';
import type { AuthenticateClient } from '../../../../application/oauth/authenticate-client.js';
import type { ExchangePassword } from '../../../../application/oauth/exchange-password.js';
import type { IdTokens } from '../../../../application/oauth/id-tokens.js';
import type { IssuedToken, TokenResult } from '../../../../application/oauth/issued-token.js';
import type { RedeemCode } from '../../../../application/oauth/redeem-code.js';
import type { RefreshAccess } from '../../../../application/oauth/refresh-access.js';
import { secondsLeft } from '../../../../domain/oauth/access-token.js';
import type { Application } from '../../../../domain/oauth/application.js';
import { refusal } from '../../../../domain/oauth/oauth-error.js';
import { MAX_PASSWORD_LENGTH } from '../../../../domain/identity/user.js';
import type { LimitSignIn } from '../middleware/sign-in-limit.js';
import { oneOf } from '../validation/parameters.js';
import { oauthSecret, oauthText } from './oauth-text.js';
import { authenticateClient, CLIENT_PARAMETERS, readClientCredentials } from './client-credentials.js';
import { OAuthError } from './oauth-error.js';
import { formEndpoint, type OAuthEndpoint } from './oauth-endpoint.js';
import type { OAuthFields } from './oauth-fields.js';
import { given } from '../kit/given.js';

export interface TokenEndpointParts {
  readonly authenticateClient: AuthenticateClient;
  readonly redeemCode: RedeemCode;
  readonly refreshAccess: RefreshAccess;
  readonly exchangePassword: ExchangePassword;
  readonly idTokens: IdTokens;
  readonly limitSignIn: LimitSignIn;
  readonly passwordGrant: { readonly enabled: boolean; readonly withoutClient: boolean };
}

const TokenSchema = Type.Object({
  access_token: Type.String(),
  token_type: Type.Literal('bearer'),
  expires_in: Type.Optional(Type.Integer({ description: 'Seconds; absent for a token that never expires' })),
  refresh_token: Type.Optional(Type.String()),
  scope: Type.String({ description: 'Separated by spaces' }),
  created_at: Type.Integer({ description: 'Unix time' }),
  id_token: Type.Optional(Type.String({ description: 'With the scope openid' })),
});

const presentToken = (token: IssuedToken, idToken: string | undefined) => {
  const expiresIn = secondsLeft(token, token.createdAt);
  return {
    access_token: token.accessToken,
    token_type: 'bearer',
    ...(expiresIn === null ? {} : { expires_in: expiresIn }),
    ...given({ refresh_token: token.refreshToken }),
    scope: token.scopes.join(' '),
    created_at: Math.floor(token.createdAt.getTime() / 1_000),
    ...given({ id_token: idToken }),
  };
};

const TOKEN_PARAMETERS = {
  grant_type: oneOf(['authorization_code', 'refresh_token', 'password']),
  ...CLIENT_PARAMETERS,
  code: Type.Optional(oauthSecret('authorization_code')),
  redirect_uri: Type.Optional(oauthText('authorization_code: the one of the authorization request')),
  code_verifier: Type.Optional(
    oauthSecret('authorization_code with PKCE: 43 to 128 characters of A-Z a-z 0-9 - . _ ~'),
  ),
  refresh_token: Type.Optional(oauthSecret('refresh_token')),
  username: Type.Optional(oauthText('password: user name or email')),
  password: Type.Optional(oauthSecret('password')),
  scope: Type.Optional(oauthText('refresh_token: fewer than granted. password: by default api')),
};
type TokenFields = OAuthFields<keyof typeof TOKEN_PARAMETERS>;

interface GrantOutcome {
  readonly application: Application | undefined;
  readonly result: TokenResult;
}
type GrantHandler = (request: Request, fields: TokenFields) => Promise<GrantOutcome>;

const createGrantHandlers = (parts: TokenEndpointParts): ReadonlyMap<string, GrantHandler> => {
  const clientOf = (request: Request, fields: TokenFields): Promise<Application> =>
    authenticateClient(parts.authenticateClient, readClientCredentials(request, fields));

  const byCode: GrantHandler = async (request, fields) => {
    const code = fields.required('code');
    const redirectUri = fields.required('redirect_uri');
    const codeVerifier = fields.text('code_verifier');
    const asking = clientOf(request, fields);
    const result = await parts.redeemCode.execute({ asking, code, redirectUri, codeVerifier });
    return { application: await asking, result };
  };

  const byRefreshToken: GrantHandler = async (request, fields) => {
    const refreshToken = fields.required('refresh_token');
    const scope = fields.text('scope');
    const asking = clientOf(request, fields);
    const result = await parts.refreshAccess.execute({ asking, refreshToken, scope });
    return { application: await asking, result };
  };

  const byPassword: GrantHandler = async (request, fields) => {
    const username = fields.required('username');
    const password = fields.required('password');
    const scope = fields.text('scope');
    const credentials = readClientCredentials(request, fields);
    const nameless = credentials === undefined && parts.passwordGrant.withoutClient;
    const application = nameless ? undefined : await authenticateClient(parts.authenticateClient, credentials);
    const offer = await parts.limitSignIn(request);
    // Nobody has a longer one, and hashing it would cost.
    if (password.length > MAX_PASSWORD_LENGTH) throw new OAuthError(refusal('invalid_grant'));
    const command = { application, username, password: offer(password), scope };
    return { application, result: await parts.exchangePassword.execute(command) };
  };

  return new Map([
    ['authorization_code', byCode],
    ['refresh_token', byRefreshToken],
    ...(parts.passwordGrant.enabled ? [['password', byPassword] as const] : []),
  ]);
};

/** RFC 6749 §3.2. */
export const createTokenEndpoint = (parts: TokenEndpointParts): OAuthEndpoint => {
  const handlers = createGrantHandlers(parts);
  return formEndpoint({
    path: '/oauth/token',
    operationId: 'postOAuthToken',
    summary: 'Exchange a code, a refresh token or a password for a token',
    description:
      'The client authenticates by HTTP Basic or by `client_id` and `client_secret` in the body; a public application sends its `client_id` alone.',
    security: 'client',
    parameters: TOKEN_PARAMETERS,
    responses: { 200: TokenSchema },
    take: async (fields, request) => {
      const handler = handlers.get(fields.required('grant_type'));
      if (handler === undefined) throw new OAuthError(refusal('unsupported_grant_type'));
      const { application, result } = await handler(request, fields);
      if (result.outcome === 'refused') throw new OAuthError(result.refusal);
      const idToken = application && (await parts.idTokens.make(result.token, application.uid));
      return { body: presentToken(result.token, idToken) };
    },
  });
};
