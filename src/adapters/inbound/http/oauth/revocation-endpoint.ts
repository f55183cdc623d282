import { Type } from '@sinclair/typebox';
import type { AuthenticateClient } from '../../../../application/oauth/authenticate-client.js';
import type { RevokeToken } from '../../../../application/oauth/revoke-token.js';
import { refusal } from '../../../../domain/oauth/oauth-error.js';
import { oauthSecret, oauthText } from './oauth-text.js';
import { authenticateClient, CLIENT_PARAMETERS, readClientCredentials } from './client-credentials.js';
import { OAuthError } from './oauth-error.js';
import { formEndpoint, type OAuthEndpoint } from './oauth-endpoint.js';

export interface RevocationEndpointParts {
  readonly authenticateClient: AuthenticateClient;
  readonly revokeToken: RevokeToken;
}

/** RFC 7009. A token that nobody knows is as good as revoked (§2.2). */
export const createRevocationEndpoint = (parts: RevocationEndpointParts): OAuthEndpoint =>
  formEndpoint({
    path: '/oauth/revoke',
    operationId: 'postOAuthRevoke',
    summary: 'Revoke a token, and what was granted with it',
    description: 'Of a pair of tokens, either one ends both. A token without an application needs no client.',
    security: 'client',
    parameters: {
      token: oauthSecret('An access token or a refresh token'),
      token_type_hint: Type.Optional(oauthText('Not needed')),
      ...CLIENT_PARAMETERS,
    },
    responses: { 200: Type.Object({}) },
    take: async (fields, request) => {
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
