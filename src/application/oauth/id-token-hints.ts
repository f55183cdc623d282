import type { TokenVerifier } from './ports/token-verifier.js';
import type { SigningKeys } from './signing-keys.js';

/** Reads back the ID tokens that applications were given, to know whom they mean (OpenID Connect Core §3.1.2.1). */
export class IdTokenHints {
  constructor(
    private readonly signingKeys: Pick<SigningKeys, 'published'>,
    private readonly verifier: TokenVerifier,
    private readonly issuer: () => string,
  ) {}

  /**
   * The `sub` of an ID token, which may have expired; undefined for what is no ID token of ours for this application, or is older than the
   * keys that are published.
   * @param audience the `client_id`.
   */
  async subjectOf(hint: string, audience: string): Promise<string | undefined> {
    const claims = await this.verifier.claimsOf(hint, await this.signingKeys.published());
    if (claims?.['iss'] !== this.issuer() || claims['aud'] !== audience) return undefined;
    // The tokens of jobs are signed by the same keys, and name whom they like as their audience.
    return typeof claims['sub'] === 'string' && 'auth_time' in claims ? claims['sub'] : undefined;
  }
}
