import { mayApprove } from '../../domain/review/merge-request.js';
import { Conflict, NotFound, Unauthenticated } from '../../domain/shared/domain-error.js';
import type { UserActor } from '../shared/actor.js';
import type { Clock } from '../shared/ports/clock.js';
import type { UnitOfWork } from '../shared/unit-of-work.js';
import type { ChangeNeeds } from './change-merge-request.js';
import { approve, unapprove } from './operations/approve.js';
import { partyOf, type ChangeableMergeRequest } from './visible-merge-request.js';

/** Somebody looked at other commits than those that are there now; told in the words that clients know. */
export class HeadMoved extends Conflict {
  constructor(head: string | null) {
    super(`SHA does not match HEAD of source branch: ${head ?? ''}`);
  }
}

/** @throws HeadMoved. */
export const requireSha = (wanted: string | undefined, head: string | null): void => {
  if (wanted !== undefined && wanted !== head) throw new HeadMoved(head);
};

export type ApprovingRepositories = Pick<ChangeNeeds, 'mergeRequests' | 'events'>;

/** Who stands behind a merge request. */
export class Approvals {
  constructor(
    private readonly unitOfWork: UnitOfWork<ApprovingRepositories>,
    private readonly clock: Clock,
  ) {}

  /**
   * @param sha the commit that they looked at.
   * @throws Unauthenticated for who may not, or has approved already, as clients expect; Conflict when there are other commits now.
   */
  async approve(actor: UserActor, found: ChangeableMergeRequest, sha?: string): Promise<void> {
    await this.unitOfWork.execute(this.approving(actor, found, sha));
  }

  /** The same within the unit of work of somebody else. */
  approving(
    actor: UserActor,
    { mergeRequest: { id }, place }: ChangeableMergeRequest,
    sha?: string,
  ): (repositories: ApprovingRepositories) => Promise<void> {
    const at = this.clock.now();
    return async ({ mergeRequests, events }) => {
      const held = await mergeRequests.take(id);
      if (held === undefined) throw new NotFound();
      const party = partyOf(actor, place);
      if (!mayApprove(held, party)) throw new Unauthenticated();
      requireSha(sha, held.sourceSha);
      if (!(await approve({ mergeRequests, events }, held, party, at))) throw new Unauthenticated();
    };
  }

  /** @throws NotFound where they have not approved it. */
  async unapprove(actor: UserActor, { mergeRequest: { id }, place }: ChangeableMergeRequest): Promise<void> {
    const at = this.clock.now();
    await this.unitOfWork.execute(async ({ mergeRequests, events }) => {
      const held = await mergeRequests.take(id);
      const party = partyOf(actor, place);
      if (held === undefined || !(await unapprove({ mergeRequests, events }, held, party, at))) throw new NotFound();
    });
  }
}
