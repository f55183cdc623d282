import { SIGNED_TOKEN_LIFETIME_SECONDS } from '../../domain/oauth/signing-key.js';
import type { Clock } from '../shared/ports/clock.js';
import type { TokenSigner } from './ports/token-signer.js';
import type { SigningKeys } from './signing-keys.js';

interface Meant {
  /** Whom it is for: whoever else is shown it refuses it. */
  readonly audience: string | readonly string[];
  /** How long it is good for; no longer than a retired key verifies. */
  readonly lifetimeSeconds: number;
}

const seconds = (at: Date): number => Math.floor(at.getTime() / 1_000);

/** Says something in the name of this installation, by the key that it publishes (RFC 7519). */
export class SignClaims {
  constructor(
    private readonly signingKeys: SigningKeys,
    private readonly signer: TokenSigner,
    private readonly issuer: () => string,
    private readonly clock: Clock,
  ) {}

  async sign(claims: Readonly<Record<string, unknown>>, { audience, lifetimeSeconds }: Meant): Promise<string> {
    const now = seconds(this.clock.now());
    const { key, privateJwk } = await this.signingKeys.current();
    const said = {
      iss: this.issuer(),
      aud: audience,
      exp: now + Math.min(lifetimeSeconds, SIGNED_TOKEN_LIFETIME_SECONDS),
      iat: now,
      ...claims,
    };
    return this.signer.sign(said, key, privateJwk);
  }
}
