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
}

/** Who asks. */
export type Actor = AnonymousActor | UserActor;

export const ANONYMOUS: AnonymousActor = { kind: 'anonymous' };

export const isAdmin = (actor: Actor): boolean => actor.kind === 'user' && actor.admin;
export const userIdOf = (actor: Actor): UserId | null => (actor.kind === 'user' ? actor.id : null);
