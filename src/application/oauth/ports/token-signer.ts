import type { SigningKey } from '../../../domain/oauth/signing-key.js';

/** Signs claims as a JSON Web Token (RFC 7519) by RS256. */
export interface TokenSigner {
  /** @param privateJwk the private half of `key`, as JSON. */
  sign(claims: Readonly<Record<string, unknown>>, key: Pick<SigningKey, 'kid'>, privateJwk: string): Promise<string>;
}
