import type { AccessToken } from '../../domain/oauth/access-token.js';
import { expiryOf } from '../../domain/oauth/access-token.js';
import type { Grant } from '../../domain/oauth/grant.js';
import type { OAuthRefusal } from '../../domain/oauth/oauth-error.js';
import type { ClaimedPerson } from '../../domain/oauth/person-claims.js';
import type { Scope } from '../../domain/shared/scope.js';
import type { SecretDigester, SecretSource } from '../shared/ports/secrets.js';
import type { NewAccessToken, NewTokenPair } from './ports/oauth-repositories.js';

/** Tokens as the client gets them once: only their digests are stored. */
export interface IssuedToken extends Pick<AccessToken, 'scopes' | 'createdAt' | 'expiresAt'> {
  readonly grant: Grant;
  /** Whom it was given by; absent where no ID token is made of it. */
  readonly owner: ClaimedPerson | undefined;
  readonly accessToken: string;
  readonly refreshToken: string | undefined;
}

export interface IssuedResult {
  readonly outcome: 'issued';
  readonly token: IssuedToken;
}

export interface RefusedResult {
  readonly outcome: 'refused';
  readonly refusal: OAuthRefusal;
}

export type TokenResult = IssuedResult | RefusedResult;

export const refused = (refusal: OAuthRefusal): RefusedResult => ({ outcome: 'refused', refusal });

/** Fresh tokens: what is stored of them, and what is handed out once that is done. */
export interface Minted<Stored> {
  readonly stored: Stored;
  handOut(grant: Grant, owner?: ClaimedPerson): IssuedToken;
}

/** Makes fresh tokens; none is ever handed out twice. */
export class TokenMint {
  constructor(
    private readonly secrets: SecretSource,
    private readonly digester: SecretDigester,
    private readonly accessTokenTtlSeconds: number,
  ) {}

  /** When an access token that is made now stops working; null for never. */
  expiryOf(now: Date): Date | null {
    return expiryOf(now, this.accessTokenTtlSeconds);
  }

  accessToken(scopes: readonly Scope[], createdAt: Date): Minted<NewAccessToken> {
    const accessToken = this.secrets.token();
    const validity = { scopes, createdAt, expiresAt: this.expiryOf(createdAt) };
    return {
      stored: { digest: this.digester.digest(accessToken), ...validity },
      handOut: (grant, owner) => ({ grant, owner, accessToken, refreshToken: undefined, ...validity }),
    };
  }

  /** @param scopes those of the grant, or fewer. */
  pair(scopes: readonly Scope[], createdAt: Date): Minted<NewTokenPair> {
    const access = this.accessToken(scopes, createdAt);
    const refreshToken = this.secrets.token();
    return {
      stored: { access: access.stored, refreshDigest: this.digester.digest(refreshToken) },
      handOut: (grant, owner) => ({ ...access.handOut(grant, owner), refreshToken }),
    };
  }
}
