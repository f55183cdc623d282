import { type UserId, identifierIn } from '../../domain/shared/identifiers.js';
import { Forbidden, NotFound, TokenInvalid, Unauthenticated } from '../../domain/shared/domain-error.js';
import { isServiceAccount } from '../../domain/identity/service-account.js';
import type { UserActor } from '../shared/actor.js';
import type { Clock } from '../shared/ports/clock.js';
import type { SecretDigester } from '../shared/ports/secrets.js';
import type { TokenOwner, UserProfile, UserReader } from './ports/identity-readers.js';
import type { ResolvedToken, TokenDigest, TokenResolver } from './ports/token-resolver.js';

const TOKEN_PROBLEMS = {
  expired: 'Token is expired. You can either do re-authorization or token refresh.',
  revoked: 'Token was revoked. You have to re-authorize from the user.',
} as const;

/** Tokens of which it is remembered who knows them; beyond that it begins anew. */
const MOST_KNOWERS = 5_000;

/** A token as it was sent; `personal` where only a personal access token belongs. */
export interface PresentedToken extends Pick<TokenDigest, 'kind'> {
  readonly secret: string;
}

/** With the profile that was found beside the token. */
interface ProfiledActor extends UserActor {
  readonly profile: UserProfile;
}

/** The profile of an actor as it was when they were recognized, where it was read for that. */
export const profileOf = (actor: UserActor): UserProfile | undefined => (actor as Partial<ProfiledActor>).profile;

/** Turns a presented token into the user it acts for. */
export class Authenticate {
  /** Who knew which token, and nothing of whether it is good: that is asked each time. */
  readonly #knowers = new Map<string, TokenResolver>();

  /** @param resolvers the first of them that knows a token decides. */
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
    const resolved = (await this.#knowers.get(token.digest)?.resolve(token, now)) ?? (await this.#askAll(token, now));
    if (resolved === undefined) throw new Unauthenticated();
    return accept(resolved);
  }

  /** Side by side: a token of the one must not wait until the other was asked. */
  async #askAll(token: TokenDigest, now: Date): Promise<ResolvedToken | undefined> {
    const answers = await Promise.all(this.resolvers.map((resolver) => resolver.resolve(token, now)));
    const place = answers.findIndex((answer) => answer !== undefined);
    const knower = this.resolvers[place];
    if (knower === undefined) return undefined;
    if (this.#knowers.size >= MOST_KNOWERS) this.#knowers.clear();
    this.#knowers.set(token.digest, knower);
    return answers[place];
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
    if (profile.bot !== null) throw new Forbidden('This account belongs to an access token: nobody else acts as it');
    const impersonated: ProfiledActor = {
      ...administrator,
      id: profile.id,
      username: profile.username,
      admin: profile.admin,
      impersonator: administrator.id,
      profile,
    };
    return impersonated;
  }
}

const accept = ({ owner, credential, state, noteUse }: ResolvedToken): UserActor => {
  if (state !== 'active') throw new TokenInvalid(TOKEN_PROBLEMS[state]);
  refuseUnusable(owner);
  noteUse();
  const { id, username, admin } = owner;
  const bot = owner.bot === null ? {} : { bot: true as const };
  const actor: ProfiledActor = { kind: 'user', id, username, admin, credential, ...bot, profile: owner };
  return actor;
};

/** Nobody acts as an account of the service, by whatever credential. */
const refuseUnusable = (owner: Pick<TokenOwner, 'username' | 'state'>): void => {
  if (isServiceAccount(owner)) throw new Forbidden('This account belongs to the service: nobody can act as it');
  if (owner.state === 'blocked') throw new Forbidden('Your account has been blocked.');
};
