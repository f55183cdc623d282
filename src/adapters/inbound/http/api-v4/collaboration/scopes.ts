import { userIdOf, type Actor } from '../../../../../application/shared/actor.js';
import { Unauthenticated } from '../../../../../domain/shared/domain-error.js';
import type { UserId } from '../../../../../domain/shared/identifiers.js';
import type { GuardContext } from '../../route.js';

/** Whose issues are listed, with the names of version 3. */
export const SCOPES = ['created_by_me', 'assigned_to_me', 'created-by-me', 'assigned-to-me', 'all'] as const;
/** Whose merge requests are. */
export const REVIEW_SCOPES = [...SCOPES, 'reviews_for_me'] as const;

type Scope = (typeof REVIEW_SCOPES)[number];

interface Scoped {
  readonly authorId?: UserId;
  readonly assigneeId?: UserId;
  readonly reviewerId?: UserId;
  readonly iids?: readonly number[];
}

/** Whose they have to be. Who isn't signed in has none of their own: no number is one of theirs. */
export const scoped = (actor: Actor, scope: Scope): Scoped => {
  const me = userIdOf(actor);
  if (scope === 'all') return {};
  if (me === null) return { iids: [] };
  if (scope === 'reviews_for_me') return { reviewerId: me };
  return /^created/.test(scope) ? { authorId: me } : { assigneeId: me };
};

/** @throws Unauthenticated where a list of all projects is asked for by somebody who has none of their own. */
export const refuseStrangersTheirOwn = async ({ actor, sent: { scope = SCOPES[0] } }: GuardContext): Promise<void> => {
  // What is no scope at all is refused with the other parameters.
  const isOwn = scope !== 'all' && REVIEW_SCOPES.some((known) => known === scope);
  if (actor.kind === 'anonymous' && isOwn) throw new Unauthenticated();
};
