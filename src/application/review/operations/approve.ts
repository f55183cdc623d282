import { mayApprove, type MergeRequest, type MergeRequestParty } from '../../../domain/review/merge-request.js';
import type { DomainEvents } from '../../shared/domain-events.js';
import type { MergeRequestRepository } from '../ports/merge-request-ports.js';

interface Needs {
  readonly mergeRequests: MergeRequestRepository;
  readonly events: DomainEvents;
}

/** Approves a merge request that is held, within the caller's unit of work. False for who may not, or has approved it already. */
export const approve = async (
  { mergeRequests, events }: Needs,
  held: MergeRequest,
  party: MergeRequestParty,
  at: Date,
): Promise<boolean> => {
  if (!mayApprove(held, party) || !(await mergeRequests.approve(held.id, party.userId, at))) return false;
  await events.publish({ kind: 'merge_request_approved', mergeRequest: held, by: party.userId, at });
  return true;
};

/** Likewise. False where they have not approved it, or it is merged. */
export const unapprove = async (
  { mergeRequests, events }: Needs,
  held: MergeRequest,
  { userId }: MergeRequestParty,
  at: Date,
): Promise<boolean> => {
  if (held.state === 'merged' || !(await mergeRequests.unapprove(held.id, userId))) return false;
  await events.publish({ kind: 'merge_request_unapproved', mergeRequest: held, by: userId, at });
  return true;
};
