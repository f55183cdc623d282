import { Type } from '@sinclair/typebox';
import { oneOf, parameters } from '../validation/parameters.js';
import type { OAuthEndpointDeclaration } from './oauth-endpoint.js';

/** What the page where people give their consent takes (RFC 6749 §4.1.1, §4.2.1; RFC 7636 §4.3). */
export const AUTHORIZATION_ENDPOINT: OAuthEndpointDeclaration = {
  method: 'get',
  path: '/oauth/authorize',
  operationId: 'getOAuthAuthorize',
  summary: 'Ask a person for access (in a browser)',
  description:
    'Ends with a redirect to `redirect_uri`: with `code`, `state` and `iss` in its query for `response_type=code`, with `access_token`, `token_type`, `expires_in`, `state` and `iss` in its fragment for `response_type=token`, or with `error` and `error_description`.',
  security: 'person',
  parameters: parameters({
    client_id: Type.String({ description: 'Application ID' }),
    redirect_uri: Type.String({
      description: 'One of the registered, exactly; only the port of a loopback IP may differ',
    }),
    response_type: oneOf(['code', 'token']),
    scope: Type.String({ description: 'Separated by spaces' }),
    state: Type.Optional(Type.String({ description: 'Unpredictable, bound to the browser; returned unchanged' })),
    code_challenge: Type.Optional(
      Type.String({ description: 'base64url of the SHA-256 of the code verifier; required of public applications' }),
    ),
    code_challenge_method: Type.Optional(oneOf(['S256'])),
    nonce: Type.Optional(Type.String({ description: 'Repeated in the ID token' })),
    prompt: Type.Optional(Type.String({ description: 'none, or any of login, consent, select_account' })),
    max_age: Type.Optional(Type.Integer({ description: 'Seconds since the person signed in, at most' })),
  }),
  responses: { 200: null, 303: null },
};
