import { Type } from '@sinclair/typebox';
import type { AuthenticateClient, ClientCredentials } from '../../../../application/oauth/authenticate-client.js';
import type { ActiveToken, InspectToken } from '../../../../application/oauth/inspect-token.js';
import type { Application } from '../../../../domain/oauth/application.js';
import { refusal } from '../../../../domain/oauth/oauth-error.js';
import { oauthSecret, oauthText } from './oauth-text.js';
import { authenticateClient, CLIENT_PARAMETERS, readClientCredentials } from './client-credentials.js';
import { OAuthError } from './oauth-error.js';
import { formEndpoint, type OAuthEndpoint } from './oauth-endpoint.js';
import type { OAuthFields } from './oauth-fields.js';

export interface IntrospectionEndpointParts {
  readonly authenticateClient: AuthenticateClient;
  readonly inspectToken: InspectToken;
  readonly issuer: () => string;
}

const seconds = (at: Date): number => Math.floor(at.getTime() / 1_000);

const present = (token: ActiveToken, issuer: string) => ({
  active: true,
  scope: token.scopes.join(' '),
  client_id: token.applicationUid,
  username: token.username,
  ...(token.kind === 'access_token' ? { token_type: 'bearer' } : {}),
  ...(token.expiresAt === null ? {} : { exp: seconds(token.expiresAt) }),
  iat: seconds(token.createdAt),
  sub: String(token.userId),
  iss: issuer,
});

const confidentialClient = async (
  { authenticateClient: authenticate }: IntrospectionEndpointParts,
  credentials: ClientCredentials,
): Promise<Application> => {
  const client = await authenticateClient(authenticate, credentials);
  if (!client.confidential) throw new OAuthError(refusal('invalid_client'));
  return client;
};

/** Who may not ask is told that first. */
const tokenFor = async (asking: Promise<Application>, fields: OAuthFields<'token'>): Promise<string> => {
  try {
    return fields.required('token');
  } catch (error) {
    await asking;
    throw error;
  }
};

/** RFC 7662: a client that keeps a secret asks about its own tokens. */
export const createIntrospectionEndpoint = (parts: IntrospectionEndpointParts): OAuthEndpoint =>
  formEndpoint({
    path: '/oauth/introspect',
    operationId: 'postOAuthIntrospect',
    summary: 'Whether a token of the asking application is good, and for what',
    security: 'client',
    parameters: {
      token: oauthSecret('An access token or a refresh token'),
      token_type_hint: Type.Optional(oauthText('Not needed')),
      ...CLIENT_PARAMETERS,
    },
    responses: {
      200: Type.Object({
        active: Type.Boolean(),
        scope: Type.Optional(Type.String({ description: 'Separated by spaces' })),
        client_id: Type.Optional(Type.String()),
        username: Type.Optional(Type.String()),
        token_type: Type.Optional(Type.Literal('bearer')),
        exp: Type.Optional(Type.Integer({ description: 'Unix time; absent for a token that never expires' })),
        iat: Type.Optional(Type.Integer({ description: 'Unix time' })),
        sub: Type.Optional(Type.String({ description: 'The id of the user' })),
        iss: Type.Optional(Type.String()),
      }),
    },
    take: async (fields, request) => {
      const credentials = readClientCredentials(request, fields);
      // Whoever may ask without a secret could try tokens at will (RFC 7662 §2.1).
      if (credentials?.secret === undefined) throw new OAuthError(refusal('invalid_client'));
      const asking = confidentialClient(parts, credentials);
      const active = await parts.inspectToken.introspect(asking, await tokenFor(asking, fields));
      return { body: active === undefined ? { active: false } : present(active, parts.issuer()) };
    },
  });
