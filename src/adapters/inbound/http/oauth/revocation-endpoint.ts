import { Type } from '@sinclair/typebox';
import type { AuthenticateClient } from '../../../../application/oauth/authenticate-client.js';
import type { RevokeToken } from '../../../../application/oauth/revoke-token.js';
import { refusal } from '../../../../domain/oauth/oauth-error.js';
import { parameters } from '../validation/parameters.js';
import { oauthText } from './oauth-text.js';
import { authenticateClient, readClientCredentials } from './client-credentials.js';
import { OAuthError } from './oauth-error.js';
import type { OAuthEndpoint } from './oauth-endpoint.js';
import { OAuthFields } from './oauth-fields.js';

export interface RevocationEndpointParts {
  readonly authenticateClient: AuthenticateClient;
  readonly revokeToken: RevokeToken;
}

/** RFC 7009. A token that nobody knows is as good as revoked (§2.2). */
export const createRevocationEndpoint = (parts: RevocationEndpointParts): OAuthEndpoint => ({
  method: 'post',
  path: '/oauth/revoke',
  operationId: 'postOAuthRevoke',
  summary: 'Revoke a token, and what was granted with it',
  description: 'Of a pair of tokens, either one ends both. A token without an application needs no client.',
  security: 'client',
  parameters: parameters({
    token: oauthText('An access token or a refresh token'),
    token_type_hint: Type.Optional(oauthText('Not needed')),
    client_id: Type.Optional(oauthText()),
    client_secret: Type.Optional(oauthText()),
  }),
  responses: { 200: Type.Object({}) },
  handle: async (request) => {
    const fields = new OAuthFields(request);
    const token = fields.required('token');
    const credentials = readClientCredentials(request, fields);
    const client = credentials && (await authenticateClient(parts.authenticateClient, credentials));
    const result = await parts.revokeToken.execute(client, token);
    if (result === 'revoked') return { body: {} };
    if (client === undefined) throw new OAuthError(refusal('invalid_client'));
    if (result === 'unknown') return { body: {} };
    throw new OAuthError(refusal('unauthorized_client', 'You are not authorized to revoke this token'), 403);
  },
});
