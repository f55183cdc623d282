import type { ObjectId } from '../../domain/repositories/object-id.js';
import { NotPossible } from '../../domain/shared/domain-error.js';
import type { ChangeCode, ChangingRepositories, CodeDraft } from '../repositories/operations/change-code.js';
import type { MovingRepositories } from '../repositories/operations/move-refs-within.js';
import type { Merger, ObjectReader } from '../repositories/ports/object-stores.js';
import type { RefReader } from '../repositories/ports/ref-reader.js';
import type { Clock } from '../shared/ports/clock.js';
import type { UnitOfWork } from '../shared/unit-of-work.js';
import type { LookAtBranches } from './look-at-branches.js';
import type { Committer } from './merge-changes.js';
import type { ChangeableMergeRequest } from './visible-merge-request.js';
import type { MergeRequestDetails, MergeRequestReader } from './ports/merge-request-ports.js';
import type { RefreshMergeRequests } from './refresh-merge-requests.js';

interface Parts {
  readonly changeCode: ChangeCode<ChangingRepositories>;
  readonly reader: MergeRequestReader;
  readonly refresh: RefreshMergeRequests;
  readonly look: LookAtBranches;
  readonly refs: RefReader;
  readonly objects: ObjectReader;
  readonly merger: Merger;
  readonly unitOfWork: UnitOfWork<MovingRepositories>;
  readonly clock: Clock;
}

/** What was found to be merged. */
interface Ends {
  readonly target: ObjectId;
  readonly source: ObjectId;
}

const mergeRef = (iid: number): string => `refs/merge-requests/${iid}/merge`;

const IMPOSSIBLE = 'Merge ref cannot be updated';

/** Keeps what a merge would give, for those who want to try it out before. */
export class MergeRefs {
  constructor(private readonly parts: Parts) {}

  /** The commit that merging it now would give. @throws NotPossible where it can't be merged. */
  async update(actor: Committer, { mergeRequest: { id }, place }: ChangeableMergeRequest): Promise<ObjectId> {
    await this.parts.refresh.execute(id);
    const mergeRequest = await this.parts.reader.findById(id);
    if (mergeRequest?.state !== 'opened' || mergeRequest.status !== 'can_be_merged') throw new NotPossible(IMPOSSIBLE);
    const tips = await this.parts.look.tips(mergeRequest);
    if (tips?.target == null || tips.source !== mergeRequest.sourceSha || tips.source === null)
      throw new NotPossible(IMPOSSIBLE);
    const ends = { target: tips.target, source: tips.source };
    return this.parts.changeCode.during(place.project.id, async (drafted) => {
      const ref = mergeRef(mergeRequest.iid);
      const from = (await this.parts.refs.findRef(drafted.repository.id, ref))?.target ?? null;
      if (from !== null && (await this.#merges(drafted, from, ends))) return from;
      const target = await this.#commit(drafted, actor, mergeRequest, ends);
      await this.#move(drafted, { ref, from, target });
      return target;
    });
  }

  async #merges({ repository }: CodeDraft, commit: ObjectId, { target, source }: Ends): Promise<boolean> {
    const known = await this.parts.objects.commit(repository.store, commit);
    return known?.parents.join() === [target, source].join();
  }

  async #commit(
    drafted: CodeDraft,
    { name, email }: Committer,
    { sourceBranch, targetBranch }: MergeRequestDetails,
    { target, source }: Ends,
  ): Promise<ObjectId> {
    const merged = await this.parts.merger.merge(drafted.repository.store, target, source);
    if (merged.outcome !== 'merged') throw new NotPossible(IMPOSSIBLE);
    const who = { name, email, at: this.parts.clock.now(), offset: 0 };
    const message = `Merge branch '${sourceBranch}' into '${targetBranch}'`;
    const commit = { tree: merged.tree, parents: [target, source], author: who, committer: who, message };
    return this.parts.changeCode.commit(drafted, commit);
  }

  /** It is nobody's push: nobody is told. */
  async #move(
    { repository, draft }: CodeDraft,
    move: { readonly ref: string; readonly from: ObjectId | null; readonly target: ObjectId },
  ): Promise<void> {
    const { ref, from, target } = move;
    await draft.keep();
    const tip = { target, peeled: null, committedAt: this.parts.clock.now() };
    const moved = await this.parts.unitOfWork.execute(async ({ repositories, refs }) => {
      const held = await repositories.take(repository.projectId);
      return held !== undefined && refs.move(repository.id, { ref, from, to: tip });
    });
    // Somebody else was quicker, with other commits perhaps.
    if (!moved) throw new NotPossible(IMPOSSIBLE);
    await this.parts.changeCode.settle(repository);
  }
}
