/** The error codes of RFC 6749 §4.1.2.1 and §5.2, RFC 7009 §2.2.1, RFC 7591 §3.2.2 and OpenID Connect Core §3.1.2.6. */
export type OAuthErrorCode =
  | 'invalid_request'
  | 'invalid_client'
  | 'invalid_grant'
  | 'invalid_scope'
  | 'invalid_token'
  | 'insufficient_scope'
  | 'unauthorized_client'
  | 'unsupported_grant_type'
  | 'unsupported_response_type'
  | 'access_denied'
  | 'login_required'
  | 'consent_required'
  | 'request_not_supported'
  | 'request_uri_not_supported'
  | 'temporarily_unavailable'
  | 'invalid_redirect_uri'
  | 'invalid_client_metadata';

/** A refusal in the words of the protocol. */
export interface OAuthRefusal {
  readonly error: OAuthErrorCode;
  readonly description: string;
}

/** The usual words for a code; clients and their authors know them. */
const DESCRIPTIONS = {
  invalid_request:
    'The request is missing a required parameter, includes an unsupported parameter value, or is otherwise malformed.',
  invalid_client:
    'Client authentication failed due to unknown client, no client authentication included, or unsupported authentication method.',
  invalid_grant:
    'The provided authorization grant is invalid, expired, revoked, does not match the redirection URI used in the authorization request, or was issued to another client.',
  invalid_scope: 'The requested scope is invalid, unknown, or malformed.',
  unauthorized_client: 'The client is not authorized to perform this request using this method.',
  unsupported_grant_type: 'The authorization grant type is not supported by the authorization server.',
  unsupported_response_type: 'The authorization server does not support this response type.',
  access_denied: 'The resource owner or authorization server denied the request.',
  login_required: 'The person is not signed in.',
  request_not_supported: 'Request objects are not supported: send the parameters themselves.',
  request_uri_not_supported: 'Request objects are not supported: send the parameters themselves.',
  consent_required: 'The person has not approved these scopes yet.',
} as const satisfies Partial<Record<OAuthErrorCode, string>>;

export const refusal = (error: keyof typeof DESCRIPTIONS, description: string = DESCRIPTIONS[error]): OAuthRefusal => ({
  error,
  description,
});

export const missingParameter = (name: string): OAuthRefusal =>
  refusal('invalid_request', `Missing required parameter: ${name}.`);
