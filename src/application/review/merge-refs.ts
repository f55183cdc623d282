import type { ObjectId } from '../../domain/repositories/object-id.js';
import { Forbidden, NotPossible } from '../../domain/shared/domain-error.js';
import type { ChangeCode, CodeDraft } from '../repositories/operations/change-code.js';
import type { ChangingRepositories, MovingRepositories } from '../repositories/operations/move-refs-within.js';
import type { Merger, ObjectReader } from '../repositories/ports/object-stores.js';
import type { RefReader } from '../repositories/ports/ref-reader.js';
import type { Permitted } from '../shared/permitted.js';
import type { Clock } from '../shared/ports/clock.js';
import type { UnitOfWork } from '../shared/unit-of-work.js';
import type { LookAtBranches } from './look-at-branches.js';
import type { Committer } from './merge-changes.js';
import type { VisibleMergeRequest } from './visible-merge-request.js';
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

/** Whoever has a commit made, which names them, and may push to the project. */
export interface Maker {
  readonly committer: Committer;
  readonly permitted: Permitted<'push_code'>;
}

/** What was found to be merged. */
interface Ends {
  readonly target: ObjectId;
  readonly source: ObjectId;
}

const mergeRef = (iid: number): string => `refs/merge-requests/${iid}/merge`;

const NOTHING_KEPT = { kept: null, fits: false };

const IMPOSSIBLE = 'Merge ref cannot be updated';

/** Keeps what a merge would give, for those who want to try it out before. */
export class MergeRefs {
  constructor(private readonly parts: Parts) {}

  /**
   * The commit that merging it now would give: the one that is kept as long as nothing has moved, else a new one.
   * @param maker absent for who may only read: nothing is stored for them.
   * @throws NotPossible where it can't be merged; Forbidden where a new one is needed and there is nobody to make it.
   */
  async current({ mergeRequest: { id } }: VisibleMergeRequest, maker: Maker | undefined): Promise<ObjectId> {
    await this.parts.refresh.execute(id);
    const mergeRequest = await this.parts.reader.findById(id);
    if (mergeRequest?.state !== 'opened' || mergeRequest.status !== 'can_be_merged') throw new NotPossible(IMPOSSIBLE);
    const tips = await this.parts.look.tips(mergeRequest);
    if (tips?.target == null || tips.source !== mergeRequest.sourceSha || tips.source === null)
      throw new NotPossible(IMPOSSIBLE);
    const ends = { target: tips.target, source: tips.source };
    const { kept, fits } = await this.#kept(mergeRequest, ends);
    if (kept !== null && fits) return kept;
    if (maker === undefined) throw new Forbidden();
    return this.parts.changeCode.during(maker.permitted.project.id, async (drafted) => {
      const target = await this.#commit(drafted, maker.committer, mergeRequest, ends);
      await this.#move(drafted, { ref: mergeRef(mergeRequest.iid), from: kept, target });
      return target;
    });
  }

  /** What its ref leads to, and whether that merges these. */
  async #kept(
    { projectId, iid }: MergeRequestDetails,
    { target, source }: Ends,
  ): Promise<{ readonly kept: ObjectId | null; readonly fits: boolean }> {
    const repository = await this.parts.refs.findRepository(projectId);
    if (repository === undefined) return NOTHING_KEPT;
    const ref = await this.parts.refs.findRef(repository.id, mergeRef(iid));
    if (ref === undefined) return NOTHING_KEPT;
    const known = await this.parts.objects.commit(repository.store, ref.target);
    return { kept: ref.target, fits: known?.parents.join() === [target, source].join() };
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
    this.parts.changeCode.refsMoved(repository);
  }
}
