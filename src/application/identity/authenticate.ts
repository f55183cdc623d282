import { Forbidden, NotFound, TokenInvalid, Unauthenticated } from '../../domain/shared/domain-error.js';
import { tokenState } from '../../domain/identity/personal-access-token.js';
import type { UserState } from '../../domain/identity/user.js';
import type { UserActor } from '../shared/actor.js';
import type { Clock } from '../shared/ports/clock.js';
import type { SecretDigester } from '../shared/ports/secrets.js';
import type { PersonalAccessTokenReader, UserReader } from './ports/identity-readers.js';
import type { TokenUses } from './token-uses.js';

const TOKEN_PROBLEMS = {
  expired: 'Token is expired. You can either do re-authorization or token refresh.',
  revoked: 'Token was revoked. You have to re-authorize from the user.',
} as const;

/** Turns a presented token into the user it acts for. */
export class Authenticate {
  constructor(
    private readonly tokens: PersonalAccessTokenReader,
    private readonly users: UserReader,
    private readonly digester: SecretDigester,
    private readonly clock: Clock,
    private readonly uses: TokenUses,
  ) {}

  /**
   * @throws Unauthenticated when nothing matches; TokenInvalid when it expired or was revoked; Forbidden when its owner may not sign in.
   */
  async byToken(presented: string): Promise<UserActor> {
    const found = await this.tokens.findByDigest(this.digester.digest(presented));
    if (found === undefined) throw new Unauthenticated();
    const { token, owner } = found;
    const now = this.clock.now();
    const state = tokenState(token, now);
    if (state !== 'active') throw new TokenInvalid(TOKEN_PROBLEMS[state]);
    refuseInactive(owner.state);
    this.uses.record(token.id, token.lastUsedAt, now);
    return {
      kind: 'user',
      id: owner.id,
      username: owner.username,
      admin: owner.admin,
      credential: { kind: 'personal_access_token', id: token.id, scopes: token.scopes },
    };
  }

  /**
   * The user in whose name an administrator acts; `target` is an id or a user name.
   * @throws NotFound when there is no such user.
   */
  async impersonate(administrator: UserActor, target: string): Promise<UserActor> {
    const profile = /^\d{1,15}$/.test(target)
      ? await this.users.find(Number(target))
      : await this.users.findByUsername(target);
    if (profile === undefined) throw new NotFound(`User with ID or username '${target}'`);
    refuseInactive(profile.state);
    return {
      ...administrator,
      id: profile.id,
      username: profile.username,
      admin: profile.admin,
      impersonator: administrator.id,
    };
  }
}

const refuseInactive = (state: UserState): void => {
  if (state === 'blocked') throw new Forbidden('Your account has been blocked.');
};
