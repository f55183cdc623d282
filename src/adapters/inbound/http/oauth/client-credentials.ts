import { Type } from '@sinclair/typebox';
import type { Request } from 'express';
import type { AuthenticateClient, ClientCredentials } from '../../../../application/oauth/authenticate-client.js';
import type { Application } from '../../../../domain/oauth/application.js';
import { refusal } from '../../../../domain/oauth/oauth-error.js';
import { OAuthError } from './oauth-error.js';
import type { OAuthFields } from './oauth-fields.js';
import { oauthSecret, oauthText } from './oauth-text.js';

/** How a client names itself in a body; the last two (RFC 7523) are declared to be refused. */
export const CLIENT_PARAMETERS = {
  client_id: Type.Optional(oauthText()),
  client_secret: Type.Optional(oauthSecret()),
  client_assertion: Type.Optional(oauthText('Refused: a client proves itself by its secret')),
  client_assertion_type: Type.Optional(oauthText('Refused, as `client_assertion` is')),
};
type ClientFields = OAuthFields<keyof typeof CLIENT_PARAMETERS>;

const BASIC = /^Basic +([A-Za-z0-9+/]+={0,2}) *$/i;

// RFC 6749 §2.3.1: both halves are form-encoded before they are joined.
const formDecode = (text: string): string => decodeURIComponent(text.replaceAll('+', ' '));

const fromBasic = (authorization: string): ClientCredentials => {
  const decoded = Buffer.from(BASIC.exec(authorization)?.[1] ?? '', 'base64').toString('utf8');
  const colon = decoded.indexOf(':');
  if (colon < 1) throw new OAuthError(refusal('invalid_client'));
  try {
    const secret = formDecode(decoded.slice(colon + 1));
    return { uid: formDecode(decoded.slice(0, colon)), secret: secret === '' ? undefined : secret };
  } catch {
    throw new OAuthError(refusal('invalid_client'));
  }
};

/**
 * How the client names itself: by HTTP Basic or in the body, never both (RFC 6749 §2.3); undefined when it does not.
 *
 * @throws OAuthError `invalid_request` for two methods or two names at once, `invalid_client` for a header that can't be read.
 */
export const readClientCredentials = (request: Request, fields: ClientFields): ClientCredentials | undefined => {
  const uid = fields.text('client_id');
  const secret = fields.text('client_secret');
  if (fields.text('client_assertion') !== undefined || fields.text('client_assertion_type') !== undefined) {
    throw new OAuthError(refusal('invalid_client'));
  }
  const authorization = request.get('authorization');
  if (authorization === undefined || !/^Basic\b/i.test(authorization)) {
    if (uid === undefined && secret !== undefined) throw new OAuthError(refusal('invalid_client'));
    return uid === undefined ? undefined : { uid, secret };
  }
  const basic = fromBasic(authorization);
  if (secret !== undefined)
    throw new OAuthError(refusal('invalid_request', 'The client authenticates in two ways at once.'));
  if (uid !== undefined && uid !== basic.uid) {
    throw new OAuthError(refusal('invalid_request', 'The header and the body name different clients.'));
  }
  return basic;
};

/** @throws OAuthError `invalid_client` without a client, or with one that could not be recognised. */
export const authenticateClient = async (
  authenticate: AuthenticateClient,
  credentials: ClientCredentials | undefined,
): Promise<Application> => {
  const application = credentials && (await authenticate.execute(credentials));
  if (application === undefined) throw new OAuthError(refusal('invalid_client'));
  return application;
};
