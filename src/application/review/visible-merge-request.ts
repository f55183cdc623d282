import type { MergeRequestParty } from '../../domain/review/merge-request.js';
import type { UserActor } from '../shared/actor.js';
import type { Permitted } from '../shared/permitted.js';
import type { MergeRequestDetails } from './ports/merge-request-ports.js';

/** Has no value: nothing but what `MergeRequests.find` hands out has it. */
declare const SEEN: unique symbol;

/** Proof that the caller may see a merge request. */
export interface VisibleMergeRequest {
  readonly [SEEN]: true;
  readonly mergeRequest: MergeRequestDetails;
  readonly place: Permitted<'read_merge_requests'> | Permitted<'open_merge_requests'>;
}

/** Has no value, like `SEEN`. */
declare const OPEN_TO_CHANGE: unique symbol;

/** Proof that the caller may see a merge request, and that its project takes changes. */
export interface ChangeableMergeRequest extends VisibleMergeRequest {
  readonly [OPEN_TO_CHANGE]: true;
}

export const partyOf = (
  actor: UserActor,
  { level }: Pick<VisibleMergeRequest['place'], 'level'>,
): MergeRequestParty => ({
  userId: actor.id,
  level,
});
