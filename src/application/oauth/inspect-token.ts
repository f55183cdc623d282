import { accessTokenState, secondsLeft, type AccessTokenState } from '../../domain/oauth/access-token.js';
import type { Application } from '../../domain/oauth/application.js';
import type { UserId } from '../../domain/shared/identifiers.js';
import type { Scope } from '../../domain/shared/scope.js';
import type { Clock } from '../shared/ports/clock.js';
import type { SecretDigester } from '../shared/ports/secrets.js';
import type { AccessTokenReader, AccessTokenWithOwner, RefreshTokenReader } from './ports/oauth-readers.js';

/** What a token is, as whoever holds it may know. */
export interface TokenInformation {
  readonly userId: UserId;
  /** Absent for a token without a client. */
  readonly applicationUid: string | undefined;
  readonly scopes: readonly Scope[];
  readonly createdAt: Date;
  /** Whole seconds; null when it never expires. */
  readonly expiresIn: number | null;
}

export type TokenInformationResult =
  | { readonly outcome: 'found'; readonly information: TokenInformation }
  | { readonly outcome: 'invalid'; readonly reason: Exclude<AccessTokenState, 'active'> | 'unknown' };

/** What introspection says of a token that is good (RFC 7662 §2.2). */
export interface ActiveToken extends Omit<TokenInformation, 'expiresIn'> {
  readonly username: string;
  readonly expiresAt: Date | null;
  readonly kind: 'access_token' | 'refresh_token';
}

/** Tells what a token is: its holder all of it, a client only of its own. */
export class InspectToken {
  constructor(
    private readonly accessTokens: AccessTokenReader,
    private readonly refreshTokens: RefreshTokenReader,
    private readonly digester: SecretDigester,
    private readonly clock: Clock,
  ) {}

  async information(presented: string): Promise<TokenInformationResult> {
    const found = await this.accessTokens.findByDigest(this.digester.digest(presented));
    if (found === undefined || found.owner.state !== 'active') return { outcome: 'invalid', reason: 'unknown' };
    const { token, owner, application } = found;
    const now = this.clock.now();
    const state = accessTokenState(token, now);
    if (state !== 'active') return { outcome: 'invalid', reason: state };
    const { scopes, createdAt } = token;
    const information = {
      userId: owner.id,
      applicationUid: application?.uid,
      scopes,
      createdAt,
      expiresIn: secondsLeft(token, now),
    };
    return { outcome: 'found', information };
  }

  /**
   * Undefined for a token that is not good, and for one of another client: the two must not be told apart.
   *
   * @param asking who asks, which is found out beside the token.
   */
  async introspect(asking: Promise<Application>, presented: string): Promise<ActiveToken | undefined> {
    const digest = this.digester.digest(presented);
    const [client, found] = await Promise.all([asking, this.accessTokens.findByDigest(digest)]);
    return this.#activeAccessToken(client, found) ?? this.#activeRefreshToken(client, digest);
  }

  #activeAccessToken(client: Application, found: AccessTokenWithOwner | undefined): ActiveToken | undefined {
    if (found === undefined || found.application?.id !== client.id || found.owner.state !== 'active') return undefined;
    if (accessTokenState(found.token, this.clock.now()) !== 'active') return undefined;
    const { scopes, createdAt, expiresAt } = found.token;
    const { id: userId, username } = found.owner;
    return { kind: 'access_token', userId, username, applicationUid: client.uid, scopes, createdAt, expiresAt };
  }

  async #activeRefreshToken(client: Application, digest: string): Promise<ActiveToken | undefined> {
    const found = await this.refreshTokens.findByDigest(digest);
    if (found?.application?.id !== client.id || !found.current || found.grant.revokedAt !== null) return undefined;
    if (found.owner.state !== 'active') return undefined;
    const { userId, scopes } = found.grant;
    return {
      kind: 'refresh_token',
      userId,
      username: found.owner.username,
      applicationUid: client.uid,
      scopes,
      createdAt: found.createdAt,
      expiresAt: null,
    };
  }
}
