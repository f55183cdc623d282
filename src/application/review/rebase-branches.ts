import { branchRef } from '../../domain/repositories/ref-name.js';
import { Forbidden } from '../../domain/shared/domain-error.js';
import type { BringCommits } from '../repositories/operations/bring-commits.js';
import type { ChangeCode } from '../repositories/operations/change-code.js';
import type { ChangingRepositories } from '../repositories/operations/move-refs-within.js';
import type { ReplayCommits } from '../repositories/operations/replay-commits.js';
import type { Permitted } from '../shared/permitted.js';
import type { Clock } from '../shared/ports/clock.js';
import type { UnitOfWork } from '../shared/unit-of-work.js';
import type { LookAtBranches } from './look-at-branches.js';
import type { Committer } from './merge-changes.js';
import type { ChangeableMergeRequest, VisibleMergeRequest } from './visible-merge-request.js';
import type { ReviewRepositories } from './ports/merge-request-ports.js';
import type { RefreshMergeRequests } from './refresh-merge-requests.js';

interface Parts {
  readonly changeCode: ChangeCode<ChangingRepositories>;
  readonly replayCommits: ReplayCommits;
  readonly bringCommits: BringCommits;
  readonly look: LookAtBranches;
  readonly refresh: RefreshMergeRequests;
  readonly unitOfWork: UnitOfWork<ReviewRepositories>;
  readonly clock: Clock;
}

const FAILED = 'Rebase failed: Rebase locally, resolve all conflicts, then push the branch.';
const TOO_MANY = 'Rebase failed: there are too many commits. Rebase locally, then push the branch.';
const MOVED = 'Rebase failed: the source branch has moved meanwhile. Try again.';

/** Puts the commits of a merge request upon its target branch. */
export class RebaseBranches {
  constructor(private readonly parts: Parts) {}

  /**
   * What went wrong is kept as its merge error, where clients look for it.
   * @param options of the push that it is, as git sends them.
   * @throws Forbidden.
   */
  async execute(
    actor: Committer,
    { mergeRequest }: ChangeableMergeRequest,
    source: Permitted<'push_code'>,
    options: readonly string[] = [],
  ): Promise<void> {
    const error = await this.#rebase(actor, mergeRequest, source, options);
    await this.parts.unitOfWork.execute(({ mergeRequests }) => mergeRequests.saveError(mergeRequest.id, error));
    await this.parts.refresh.execute(mergeRequest.id);
  }

  async #rebase(
    actor: Committer,
    mergeRequest: VisibleMergeRequest['mergeRequest'],
    permitted: Permitted<'push_code'>,
    options: readonly string[],
  ): Promise<string | null> {
    const { changeCode, replayCommits, bringCommits, look, clock } = this.parts;
    if (mergeRequest.state !== 'opened') throw new Forbidden('The merge request is not open');
    const tips = await look.tips(mergeRequest);
    if (tips?.source == null || tips.target === null) throw new Forbidden('Source branch does not exist');
    const { source: from, target: onto, repository, sourceRepository } = tips;
    return changeCode.during(permitted.project.id, async (drafted) => {
      const brought = await bringCommits.execute(repository, sourceRepository, onto);
      try {
        const committer = { name: actor.name, email: actor.email, at: clock.now(), offset: 0 };
        const { store } = sourceRepository;
        const replay = await replayCommits.execute(store, drafted.draft, { from, onto }, committer);
        if (replay.outcome !== 'replayed') return replay.outcome === 'conflict' ? FAILED : TOO_MANY;
        const ref = branchRef(mergeRequest.sourceBranch);
        const change = { ref, from, to: replay.head, type: 'commit', fastForward: false } as const;
        const changer = { level: permitted.level, admin: actor.admin };
        const landing = { changes: [change], changer, by: 'api', userId: actor.id, options } as const;
        const { refused, failures } = await changeCode.land(drafted, landing, () => Promise.resolve());
        if (refused?.includes('protected_branch_forced') === true)
          throw new Forbidden('Source branch is protected from force push');
        if (refused !== undefined) throw new Forbidden('Cannot push to source branch');
        return failures.size === 0 ? null : MOVED;
      } finally {
        await brought?.settle();
      }
    });
  }
}
