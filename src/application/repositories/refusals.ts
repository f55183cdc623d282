import { REFUSAL_TEXTS, type PushRefusal } from '../../domain/repositories/push-decision.js';
import { Forbidden, NotPossible, NotPossibleWith } from '../../domain/shared/domain-error.js';
import type { MovedRefs } from './operations/move-refs-within.js';

const MAY_NOT_PUSH = 'You are not allowed to push into this branch';

/** What somebody is told who may not do it. What isn't here is no matter of who asks. */
const FORBIDDEN: Partial<Readonly<Record<PushRefusal, string>>> = {
  archived: REFUSAL_TEXTS.archived,
  may_not_push: MAY_NOT_PUSH,
  protected_branch_created: MAY_NOT_PUSH,
  protected_branch_pushed: MAY_NOT_PUSH,
  protected_branch_forced: REFUSAL_TEXTS.protected_branch_forced,
  protected_branch_deleted: REFUSAL_TEXTS.protected_branch_deleted,
  tag_changed: REFUSAL_TEXTS.tag_changed,
  protected_tag_created: REFUSAL_TEXTS.protected_tag_created,
  protected_tag_deleted: REFUSAL_TEXTS.protected_tag_deleted,
};

/**
 * Of a change that the API asked for.
 * @throws Forbidden or NotPossible when a rule forbids it, or NotPossible when the ref has moved meanwhile.
 */
export const requireMoved = ({ failures, refused = [] }: MovedRefs): void => {
  const [reason] = refused;
  if (reason !== undefined) {
    const told = FORBIDDEN[reason];
    throw told === undefined ? new NotPossible(REFUSAL_TEXTS[reason]) : new Forbidden(told);
  }
  for (const [ref, failure] of failures)
    throw failure.includes('exists; cannot create')
      ? new NotPossibleWith('branch', 'Branch name conflicts with existing branch hierarchy.')
      : new NotPossible(`Could not update ${ref}. Please refresh and try again.`);
};
