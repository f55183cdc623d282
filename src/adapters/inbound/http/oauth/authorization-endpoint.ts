import { Type } from '@sinclair/typebox';
import { integer, oneOf, parameters, text, type BoundedSchema } from '../validation/parameters.js';
import { MAX_ID_TOKEN_HINT, type AuthorizationParameter } from '../../../../domain/oauth/authorization-request.js';
import { oauthText } from './oauth-text.js';
import type { OAuthEndpointDeclaration } from './oauth-endpoint.js';

const PARAMETERS = {
  client_id: oauthText('Application ID'),
  redirect_uri: oauthText('One of the registered, exactly; only the port of a loopback IP may differ'),
  response_type: oneOf(['code', 'token']),
  response_mode: Type.Optional(oneOf(['query', 'fragment'], { description: 'query for a code, fragment for a token' })),
  scope: oauthText('Separated by spaces'),
  state: Type.Optional(oauthText('Unpredictable, bound to the browser; returned unchanged')),
  code_challenge: Type.Optional(
    oauthText('base64url of the SHA-256 of the code verifier; required of public applications'),
  ),
  code_challenge_method: Type.Optional(oneOf(['S256'])),
  nonce: Type.Optional(oauthText('Repeated in the ID token')),
  prompt: Type.Optional(oauthText('none, or any of login, consent, select_account')),
  max_age: Type.Optional(
    integer({
      minimum: 0,
      maximum: Number.MAX_SAFE_INTEGER,
      description: 'Seconds since the person signed in, at most',
    }),
  ),
  id_token_hint: Type.Optional(text(MAX_ID_TOKEN_HINT, 'An ID token of the person that is meant; it may have expired')),
  request: Type.Optional(oauthText('Not supported: refused with request_not_supported')),
  request_uri: Type.Optional(oauthText('Not supported: refused with request_uri_not_supported')),
} satisfies Readonly<Record<AuthorizationParameter, BoundedSchema>>;

/** What the page where people give their consent takes (RFC 6749 §4.1.1, §4.2.1; RFC 7636 §4.3). */
export const AUTHORIZATION_ENDPOINT: OAuthEndpointDeclaration = {
  method: 'get',
  path: '/oauth/authorize',
  operationId: 'getOAuthAuthorize',
  summary: 'Ask a person for access (in a browser)',
  description:
    'Ends with a redirect to `redirect_uri`: with `code`, `state` and `iss` in its query for `response_type=code`, with `access_token`, `token_type`, `expires_in`, `state` and `iss` in its fragment for `response_type=token`, or with `error` and `error_description`. What is sent by POST as a form is redirected here.',
  security: 'person',
  parameters: parameters(PARAMETERS),
  responses: { 200: null, 303: null },
};
