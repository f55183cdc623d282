import type { AccessToken } from '../../domain/oauth/access-token.js';
import { expiryOf } from '../../domain/oauth/access-token.js';
import type { Grant } from '../../domain/oauth/grant.js';
import type { OAuthRefusal } from '../../domain/oauth/oauth-error.js';
import type { Scope } from '../../domain/shared/scope.js';
import type { SecretDigester, SecretSource } from '../shared/ports/secrets.js';
import type { OAuthRepositories } from './ports/oauth-repositories.js';

/** Tokens as the client gets them once: only their digests are stored. */
export interface IssuedToken extends Pick<AccessToken, 'scopes' | 'createdAt' | 'expiresAt'> {
  readonly grant: Grant;
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

/** Adds fresh tokens to a grant; none is ever handed out twice. */
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

  async accessTokenOnly(repositories: OAuthRepositories, grant: Grant, now: Date): Promise<IssuedToken> {
    return (await this.#access(repositories, grant, grant.scopes, now)).issued;
  }

  /** @param scopes those of the grant, or fewer. */
  async pair(repositories: OAuthRepositories, grant: Grant, scopes: readonly Scope[], now: Date): Promise<IssuedToken> {
    const { id, issued } = await this.#access(repositories, grant, scopes, now);
    const refreshToken = this.secrets.token();
    await repositories.refreshTokens.add({
      digest: this.digester.digest(refreshToken),
      grantId: grant.id,
      accessTokenId: id,
      createdAt: now,
    });
    return { ...issued, refreshToken };
  }

  async #access({ accessTokens }: OAuthRepositories, grant: Grant, scopes: readonly Scope[], createdAt: Date) {
    const accessToken = this.secrets.token();
    const expiresAt = this.expiryOf(createdAt);
    const digest = this.digester.digest(accessToken);
    const id = await accessTokens.add({ digest, grantId: grant.id, scopes, createdAt, expiresAt });
    const issued: IssuedToken = { grant, accessToken, refreshToken: undefined, scopes, createdAt, expiresAt };
    return { id, issued };
  }
}
