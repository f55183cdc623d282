import { personClaims } from '../../domain/oauth/person-claims.js';
import type { IssuedToken } from './issued-token.js';
import type { SignClaims } from './sign-claims.js';

/** Read once, right after it was issued. */
const LIFETIME_SECONDS = 3_600;

/** Says who signed in, to the application that asked (OpenID Connect Core §2). */
export class IdTokens {
  constructor(private readonly signClaims: SignClaims) {}

  /** Undefined where `openid` was not granted. @param audience the `client_id`. */
  async make({ grant, owner, scopes }: IssuedToken, audience: string): Promise<string | undefined> {
    if (!scopes.includes('openid')) return undefined;
    const claims = {
      sub: String(grant.userId),
      auth_time: Math.floor(grant.authenticatedAt.getTime() / 1_000),
      ...(grant.nonce === null ? {} : { nonce: grant.nonce }),
      // Said here, too: there are clients that read nothing else.
      ...(owner === undefined ? {} : personClaims(owner, scopes)),
    };
    return this.signClaims.sign(claims, { audience, lifetimeSeconds: LIFETIME_SECONDS });
  }
}
