import { Type } from '@sinclair/typebox';
import type {
  InspectToken,
  TokenInformation,
  TokenInformationResult,
} from '../../../../application/oauth/inspect-token.js';
import { presentedBearer, type TokenSource } from '../authentication/presented-token.js';
import { nullable, parameters } from '../validation/parameters.js';
import { oauthText } from './oauth-text.js';
import { OAuthError } from './oauth-error.js';
import type { OAuthAnswer, OAuthEndpoint, OAuthEndpointDeclaration } from './oauth-endpoint.js';

const PROBLEMS: Readonly<Record<Extract<TokenInformationResult, { outcome: 'invalid' }>['reason'], string>> = {
  unknown: 'The access token is invalid',
  expired: 'The access token expired',
  revoked: 'The access token was revoked',
};

const SECONDS_LEFT = nullable(Type.Integer());

const TokenInformationSchema = Type.Object({
  resource_owner_id: Type.Integer(),
  scope: Type.Array(Type.String()),
  expires_in: SECONDS_LEFT,
  application: Type.Object({
    uid: Type.String({ description: 'The application that the token was given to; empty without one' }),
  }),
  created_at: Type.Integer({ description: 'Unix time' }),
  scopes: Type.Array(Type.String(), { deprecated: true, description: 'Use `scope`' }),
  expires_in_seconds: Type.Union([Type.Integer(), Type.Null()], {
    deprecated: true,
    description: 'Use `expires_in`',
  }),
});

const present = ({ userId, applicationUid, scopes, createdAt, expiresIn }: TokenInformation) => ({
  resource_owner_id: userId,
  scope: scopes,
  expires_in: expiresIn,
  application: { uid: applicationUid ?? '' },
  created_at: Math.floor(createdAt.getTime() / 1_000),
  scopes,
  expires_in_seconds: expiresIn,
});

const DECLARATION: OAuthEndpointDeclaration = {
  method: 'get',
  path: '/oauth/token/info',
  operationId: 'getOAuthTokenInfo',
  summary: 'What a token is',
  description:
    'An application that is handed a token by the implicit flow compares `application.uid` with its own `client_id` before it trusts it.',
  security: 'bearer',
  parameters: parameters({
    access_token: Type.Optional(oauthText('Where the header `Authorization: Bearer` is not sent')),
  }),
  responses: { 200: TokenInformationSchema },
};

/** What a token is, told to whoever holds it. */
export const createTokenInfoEndpoint = (inspectToken: InspectToken): OAuthEndpoint => {
  const handle = async (request: TokenSource): Promise<OAuthAnswer> => {
    const presented = presentedBearer(request);
    const result: TokenInformationResult =
      presented === undefined ? { outcome: 'invalid', reason: 'unknown' } : await inspectToken.information(presented);
    if (result.outcome === 'found') return { body: present(result.information) };
    throw new OAuthError({ error: 'invalid_token', description: PROBLEMS[result.reason] });
  };
  return { ...DECLARATION, handle, handleLean: handle };
};
