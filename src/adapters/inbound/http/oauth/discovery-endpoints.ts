import { Type } from '@sinclair/typebox';
import type { SigningKeys } from '../../../../application/oauth/signing-keys.js';
import { CODE_CHALLENGE_METHOD } from '../../../../domain/oauth/pkce.js';
import { SCOPES } from '../../../../domain/shared/scope.js';
import { parameters } from '../validation/parameters.js';
import { component } from '../openapi/component.js';
import type { OAuthEndpoint } from './oauth-endpoint.js';
import { REGISTRATION_PATH } from './registration-endpoint.js';

export interface DiscoveryEndpointParts {
  readonly signingKeys: SigningKeys;
  /** The public address of the service, without a trailing slash. */
  readonly issuer: () => string;
  readonly disabledFlows: readonly ('implicit' | 'password')[];
  /** Whether applications may register themselves. */
  readonly registers: boolean;
}

const KEY_DISCOVERY_PATH = '/oauth/discovery/keys';

const list = Type.Array(Type.String());

const MetadataSchema = component(
  'schemas/OAuthMetadata',
  Type.Object({
    issuer: Type.String(),
    authorization_endpoint: Type.String(),
    token_endpoint: Type.String(),
    revocation_endpoint: Type.String(),
    introspection_endpoint: Type.String(),
    registration_endpoint: Type.Optional(Type.String()),
    userinfo_endpoint: Type.String(),
    jwks_uri: Type.String(),
    scopes_supported: list,
    response_types_supported: list,
    response_modes_supported: list,
    grant_types_supported: list,
    token_endpoint_auth_methods_supported: list,
    revocation_endpoint_auth_methods_supported: list,
    introspection_endpoint_auth_methods_supported: list,
    code_challenge_methods_supported: list,
    prompt_values_supported: list,
    subject_types_supported: list,
    id_token_signing_alg_values_supported: list,
    claim_types_supported: list,
    claims_supported: list,
    authorization_response_iss_parameter_supported: Type.Boolean(),
    request_parameter_supported: Type.Boolean(),
    request_uri_parameter_supported: Type.Boolean(),
  }),
);

const WITH_SECRET = ['client_secret_basic', 'client_secret_post'];

const metadata = (issuer: string, disabled: readonly string[], registers: boolean) => ({
  issuer,
  authorization_endpoint: `${issuer}/oauth/authorize`,
  token_endpoint: `${issuer}/oauth/token`,
  revocation_endpoint: `${issuer}/oauth/revoke`,
  introspection_endpoint: `${issuer}/oauth/introspect`,
  ...(registers && { registration_endpoint: `${issuer}${REGISTRATION_PATH}` }),
  userinfo_endpoint: `${issuer}/oauth/userinfo`,
  jwks_uri: `${issuer}${KEY_DISCOVERY_PATH}`,
  scopes_supported: SCOPES,
  response_types_supported: disabled.includes('implicit') ? ['code'] : ['code', 'token'],
  response_modes_supported: disabled.includes('implicit') ? ['query'] : ['query', 'fragment'],
  grant_types_supported: ['authorization_code', 'implicit', 'password', 'refresh_token'].filter(
    (grant) => !disabled.includes(grant),
  ),
  token_endpoint_auth_methods_supported: [...WITH_SECRET, 'none'],
  revocation_endpoint_auth_methods_supported: [...WITH_SECRET, 'none'],
  introspection_endpoint_auth_methods_supported: WITH_SECRET,
  code_challenge_methods_supported: [CODE_CHALLENGE_METHOD],
  prompt_values_supported: ['none', 'login', 'consent', 'select_account'],
  subject_types_supported: ['public'],
  id_token_signing_alg_values_supported: ['RS256'],
  claim_types_supported: ['normal'],
  claims_supported: [
    'iss',
    'sub',
    'aud',
    'exp',
    'iat',
    'auth_time',
    'nonce',
    'name',
    'nickname',
    'preferred_username',
    'profile',
    'email',
    'email_verified',
  ],
  authorization_response_iss_parameter_supported: true,
  request_parameter_supported: false,
  // Absent it would mean that it is (OpenID Connect Discovery §3).
  request_uri_parameter_supported: false,
});

/** Where clients learn everything else: RFC 8414, OpenID Connect Discovery, and the keys (RFC 7517 §5). */
export const createDiscoveryEndpoints = (parts: DiscoveryEndpointParts): readonly OAuthEndpoint[] => [
  ...(
    [
      ['/.well-known/oauth-authorization-server', 'getOAuthMetadata', 'The metadata of the authorization server'],
      ['/.well-known/openid-configuration', 'getOpenIdConfiguration', 'The metadata of the OpenID provider'],
    ] as const
  ).map(([path, operationId, summary]) => ({
    method: 'get' as const,
    path,
    operationId,
    summary,
    security: 'none' as const,
    parameters: parameters({}),
    responses: { 200: MetadataSchema },
    handle: () => Promise.resolve({ body: metadata(parts.issuer(), parts.disabledFlows, parts.registers) }),
  })),
  {
    method: 'get',
    path: KEY_DISCOVERY_PATH,
    operationId: 'getOAuthKeys',
    summary: 'The keys that verify ID tokens',
    security: 'none',
    parameters: parameters({}),
    responses: { 200: Type.Object({ keys: Type.Array(Type.Object({}, { additionalProperties: true })) }) },
    handle: async () => ({ body: { keys: await parts.signingKeys.published() } }),
  },
];
