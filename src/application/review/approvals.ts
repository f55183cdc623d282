import { mayApprove } from '../../domain/review/merge-request.js';
import { Conflict, NotFound, Unauthenticated } from '../../domain/shared/domain-error.js';
import type { UserActor } from '../shared/actor.js';
import type { Clock } from '../shared/ports/clock.js';
import type { UnitOfWork } from '../shared/unit-of-work.js';
import { partyOf, type ChangeableMergeRequest, type ReviewNeeds } from './merge-requests.js';

/** What is told when somebody looked at other commits than those that are there now. */
export const requireSha = (wanted: string | undefined, head: string | null): void => {
  if (wanted !== undefined && wanted !== head)
    throw new Conflict(`SHA does not match HEAD of source branch: ${head ?? ''}`);
};

/** Who stands behind a merge request. */
export class Approvals {
  constructor(
    private readonly unitOfWork: UnitOfWork<Pick<ReviewNeeds, 'mergeRequests' | 'events'>>,
    private readonly clock: Clock,
  ) {}

  /**
   * @param sha the commit that they looked at.
   * @throws Unauthenticated for who may not, or has approved already, as clients expect; Conflict when there are other commits now.
   */
  async approve(
    actor: UserActor,
    { mergeRequest: { id }, place }: ChangeableMergeRequest,
    sha?: string,
  ): Promise<void> {
    const at = this.clock.now();
    await this.unitOfWork.execute(async ({ mergeRequests, events }) => {
      const held = await mergeRequests.take(id);
      if (held === undefined) throw new NotFound();
      if (!mayApprove(held, partyOf(actor, place))) throw new Unauthenticated();
      requireSha(sha, held.sourceSha);
      if (!(await mergeRequests.approve(id, actor.id, at))) throw new Unauthenticated();
      await events.publish({ kind: 'merge_request_approved', mergeRequest: held, by: actor.id, at });
    });
  }

  /** @throws NotFound where they have not approved it. */
  async unapprove(actor: UserActor, { mergeRequest: { id } }: ChangeableMergeRequest): Promise<void> {
    const at = this.clock.now();
    await this.unitOfWork.execute(async ({ mergeRequests, events }) => {
      const held = await mergeRequests.take(id);
      if (held === undefined || held.state === 'merged' || !(await mergeRequests.unapprove(id, actor.id)))
        throw new NotFound();
      await events.publish({ kind: 'merge_request_unapproved', mergeRequest: held, by: actor.id, at });
    });
  }
}
