import { type UserId, identifierIn } from '../../domain/shared/identifiers.js';
import { Forbidden, NotFound, TokenInvalid, Unauthenticated } from '../../domain/shared/domain-error.js';
import { isServiceAccount } from '../../domain/identity/service-account.js';
import type { UserActor } from '../shared/actor.js';
import type { Clock } from '../shared/ports/clock.js';
import type { SecretDigester } from '../shared/ports/secrets.js';
import type { TokenOwner, UserReader } from './ports/identity-readers.js';
import type { ResolvedToken, TokenDigest, TokenResolver } from './ports/token-resolver.js';

const TOKEN_PROBLEMS = {
  expired: 'Token is expired. You can either do re-authorization or token refresh.',
  revoked: 'Token was revoked. You have to re-authorize from the user.',
} as const;

/** A token as it was sent; `personal` where only a personal access token belongs. */
export interface PresentedToken extends Pick<TokenDigest, 'kind'> {
  readonly secret: string;
}

/** Turns a presented token into the user it acts for. */
export class Authenticate {
  /** @param resolvers are asked in this order: the first that knows a token decides. */
  constructor(
    private readonly resolvers: readonly TokenResolver[],
    private readonly users: UserReader,
    private readonly digester: SecretDigester,
    private readonly clock: Clock,
  ) {}

  /** @throws Unauthenticated when nothing matches; TokenInvalid when it expired or was revoked; Forbidden when its owner may not sign in. */
  async byToken({ secret, kind }: PresentedToken): Promise<UserActor> {
    const token = { digest: this.digester.digest(secret), kind };
    const now = this.clock.now();
    for (const resolver of this.resolvers) {
      const resolved = await resolver.resolve(token, now);
      if (resolved !== undefined) return accept(resolved);
    }
    throw new Unauthenticated();
  }

  /**
   * The user in whose name an administrator acts; `target` is an id or a user name.
   * @throws NotFound when there is no such user.
   */
  async impersonate(administrator: UserActor, target: string): Promise<UserActor> {
    const id = identifierIn<UserId>(target);
    const profile = await (id === undefined ? this.users.findByUsername(target) : this.users.find(id));
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
}

const accept = ({ owner, credential, state, noteUse }: ResolvedToken): UserActor => {
  if (state !== 'active') throw new TokenInvalid(TOKEN_PROBLEMS[state]);
  refuseUnusable(owner);
  noteUse();
  const { id, username, admin } = owner;
  return { kind: 'user', id, username, admin, credential };
};

/** Nobody acts as an account of the service, by whatever credential. */
const refuseUnusable = (owner: Pick<TokenOwner, 'username' | 'state'>): void => {
  if (isServiceAccount(owner)) throw new Forbidden('This account belongs to the service: nobody can act as it');
  if (owner.state === 'blocked') throw new Forbidden('Your account has been blocked.');
};
