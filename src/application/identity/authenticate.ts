import { Forbidden, NotFound, TokenInvalid, Unauthenticated } from '../../domain/shared/domain-error.js';
import { accessTokenState } from '../../domain/oauth/access-token.js';
import { tokenState } from '../../domain/identity/personal-access-token.js';
import { isServiceAccount } from '../../domain/identity/service-account.js';
import type { Credential, UserActor } from '../shared/actor.js';
import type { Clock } from '../shared/ports/clock.js';
import type { SecretDigester } from '../shared/ports/secrets.js';
import type { AccessTokenReader, AccessTokenWithOwner } from '../oauth/ports/oauth-readers.js';
import type { PersonalAccessTokenReader, TokenOwner, TokenWithOwner, UserReader } from './ports/identity-readers.js';
import type { TokenUses } from './token-uses.js';

const TOKEN_PROBLEMS = {
  expired: 'Token is expired. You can either do re-authorization or token refresh.',
  revoked: 'Token was revoked. You have to re-authorize from the user.',
} as const;

/** A token as it was sent; `personal` where only a personal access token belongs. */
export interface PresentedToken {
  readonly secret: string;
  readonly kind: 'personal' | 'bearer';
}

interface Readers {
  readonly personalAccessTokens: PersonalAccessTokenReader;
  readonly accessTokens: AccessTokenReader;
  readonly users: UserReader;
}

/** Gathers when tokens were used. */
interface Uses {
  readonly tokens: TokenUses;
  readonly grants: TokenUses;
}

/** Turns a presented token into the user it acts for. */
export class Authenticate {
  constructor(
    private readonly readers: Readers,
    private readonly digester: SecretDigester,
    private readonly clock: Clock,
    private readonly uses: Uses,
  ) {}

  /**
   * A bearer is looked for among the tokens of OAuth first, then among the personal ones.
   *
   * @throws Unauthenticated when nothing matches; TokenInvalid when it expired or was revoked; Forbidden when its owner may not sign in.
   */
  async byToken({ secret, kind }: PresentedToken): Promise<UserActor> {
    const digest = this.digester.digest(secret);
    const access = kind === 'bearer' ? await this.readers.accessTokens.findByDigest(digest) : undefined;
    if (access !== undefined) return this.#byAccessToken(access);
    const personal = await this.readers.personalAccessTokens.findByDigest(digest);
    if (personal !== undefined) return this.#byPersonalAccessToken(personal);
    throw new Unauthenticated();
  }

  /**
   * The user in whose name an administrator acts; `target` is an id or a user name.
   * @throws NotFound when there is no such user.
   */
  async impersonate(administrator: UserActor, target: string): Promise<UserActor> {
    const profile = /^\d{1,15}$/.test(target)
      ? await this.readers.users.find(Number(target))
      : await this.readers.users.findByUsername(target);
    if (profile === undefined) throw new NotFound(`User with ID or username '${target}'`);
    refuseUnusable(profile);
    return {
      ...administrator,
      id: profile.id,
      username: profile.username,
      admin: profile.admin,
      impersonator: administrator.id,
    };
  }

  #byAccessToken({ token, owner, grantLastUsedAt }: AccessTokenWithOwner): UserActor {
    const now = this.clock.now();
    refuseEnded(accessTokenState(token, now));
    refuseUnusable(owner);
    this.uses.grants.record(token.grantId, grantLastUsedAt, now);
    return actorFor(owner, { kind: 'oauth', id: token.id, scopes: token.scopes });
  }

  #byPersonalAccessToken({ token, owner }: TokenWithOwner): UserActor {
    const now = this.clock.now();
    refuseEnded(tokenState(token, now));
    refuseUnusable(owner);
    this.uses.tokens.record(token.id, token.lastUsedAt, now);
    return actorFor(owner, { kind: 'personal_access_token', id: token.id, scopes: token.scopes });
  }
}

const actorFor = ({ id, username, admin }: TokenOwner, credential: Credential): UserActor => ({
  kind: 'user',
  id,
  username,
  admin,
  credential,
});

const refuseEnded = (state: 'active' | keyof typeof TOKEN_PROBLEMS): void => {
  if (state !== 'active') throw new TokenInvalid(TOKEN_PROBLEMS[state]);
};

/** Nobody acts as an account of the service, by whatever credential. */
const refuseUnusable = (owner: Pick<TokenOwner, 'username' | 'state'>): void => {
  if (isServiceAccount(owner)) throw new Forbidden('This account belongs to the service: nobody can act as it');
  if (owner.state === 'blocked') throw new Forbidden('Your account has been blocked.');
};
