import type { Clock } from '../shared/ports/clock.js';
import type { IssuedToken } from './issued-token.js';
import type { TokenSigner } from './ports/token-signer.js';
import type { SigningKeys } from './signing-keys.js';

/** Read once, right after it was issued. */
const LIFETIME_SECONDS = 3_600;

const seconds = (at: Date): number => Math.floor(at.getTime() / 1_000);

/** Says who signed in, to the application that asked (OpenID Connect Core §2). */
export class IdTokens {
  constructor(
    private readonly signingKeys: SigningKeys,
    private readonly signer: TokenSigner,
    private readonly issuer: () => string,
    private readonly clock: Clock,
  ) {}

  /** Undefined where `openid` was not granted. @param audience the `client_id`. */
  async make({ grant, scopes }: IssuedToken, audience: string): Promise<string | undefined> {
    if (!scopes.includes('openid')) return undefined;
    const now = seconds(this.clock.now());
    const { key, privateJwk } = await this.signingKeys.current();
    const claims = {
      iss: this.issuer(),
      sub: String(grant.userId),
      aud: audience,
      exp: now + LIFETIME_SECONDS,
      iat: now,
      auth_time: seconds(grant.authenticatedAt),
      ...(grant.nonce === null ? {} : { nonce: grant.nonce }),
    };
    return this.signer.sign(claims, key, privateJwk);
  }
}
