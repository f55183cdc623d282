import { Forbidden } from '../../domain/shared/domain-error.js';
import type { UserId } from '../../domain/shared/identifiers.js';
import type { Scope } from '../../domain/shared/scope.js';

/** How the caller proved who they are. */
export type Credential =
  | { readonly kind: 'personal_access_token'; readonly id: number; readonly scopes: readonly Scope[] }
  | { readonly kind: 'oauth'; readonly id: number; readonly scopes: readonly Scope[] }
  | { readonly kind: 'session' };

export interface AnonymousActor {
  readonly kind: 'anonymous';
}

export interface UserActor {
  readonly kind: 'user';
  readonly id: UserId;
  readonly username: string;
  readonly admin: boolean;
  readonly credential: Credential;
  /** The administrator behind a request made with sudo. */
  readonly impersonator?: UserId;
  /** Where an access token of a project or group asks, by its bot. */
  readonly bot?: true;
}

/** Who asks. */
export type Actor = AnonymousActor | UserActor;

export const ANONYMOUS: AnonymousActor = { kind: 'anonymous' };

/** @throws Forbidden for a bot, which has nothing of its own. @param what as in "keep snippets of its own". */
export const refuseBot = (actor: Pick<UserActor, 'bot'>, what: string): void => {
  if (actor.bot === true) throw new Forbidden(`The bot of an access token can't ${what}`);
};

export const isAdmin = (actor: Actor): boolean => actor.kind === 'user' && actor.admin;
export const userIdOf = (actor: Actor): UserId | null => (actor.kind === 'user' ? actor.id : null);
