import type { Approval } from '../../../../application/oauth/authorize.js';
import { secondsLeft } from '../../../../domain/oauth/access-token.js';
import type { ReturnAddress } from '../../../../domain/oauth/authorization-request.js';
import type { OAuthRefusal } from '../../../../domain/oauth/oauth-error.js';

type Answer = Readonly<Record<string, string | number | undefined>>;

/**
 * The redirect URI with an answer: in its query for a code, in its fragment for a token (RFC 6749 §4.1.2, §4.2.2). The URI stays
 * as it was registered, letter by letter.
 */
const withAnswer = ({ redirectUri, responseType, state }: ReturnAddress, issuer: string, answer: Answer): string => {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries({ ...answer, state, iss: issuer })) {
    if (value !== undefined) parameters.append(name, String(value));
  }
  if (responseType === 'token') return `${redirectUri}#${parameters.toString()}`;
  return `${redirectUri}${redirectUri.includes('?') ? '&' : '?'}${parameters.toString()}`;
};

export const refusalAddress = (to: ReturnAddress, issuer: string, { error, description }: OAuthRefusal): string =>
  withAnswer(to, issuer, { error, error_description: description });

export const approvalAddress = (to: ReturnAddress, issuer: string, approval: Approval): string => {
  if (approval.responseType === 'code') return withAnswer(to, issuer, { code: approval.code });
  const { token } = approval;
  return withAnswer(to, issuer, {
    access_token: token.accessToken,
    token_type: 'bearer',
    expires_in: secondsLeft(token, token.createdAt) ?? undefined,
    scope: token.scopes.join(' '),
  });
};
