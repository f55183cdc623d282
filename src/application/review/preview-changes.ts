import type { ObjectId } from '../../domain/repositories/object-id.js';
import type { BringCommits } from '../repositories/operations/bring-commits.js';
import type { HistoryReader } from '../repositories/ports/object-stores.js';
import type { Permitted } from '../shared/permitted.js';
import type { LookAtBranches } from './look-at-branches.js';

/** Two branches, one of which may be merged into the other. */
export interface ProposedBranches {
  readonly source: Permitted<'push_code'>;
  readonly sourceBranch: string;
  readonly target: Permitted<'open_merge_requests'>;
  readonly targetBranch: string;
}

/** What would be merged, in the store that has all of it while it is looked at. */
export interface Preview {
  readonly store: string;
  /** The last commit that both have; undefined where they have none in common. */
  readonly base: ObjectId | undefined;
  readonly target: ObjectId;
  readonly head: ObjectId;
}

/** Which of two branches isn't there. */
export interface MissingBranches {
  readonly source: boolean;
  readonly target: boolean;
}

/**
 * Shows what would be merged before a merge request is opened. What is there already of the target is brought to the source, which is
 * the caller's own: nothing of a fork reaches others before it is asked for.
 */
export class PreviewChanges {
  constructor(
    private readonly parts: {
      readonly look: LookAtBranches;
      readonly history: HistoryReader;
      readonly bringCommits: BringCommits;
    },
  ) {}

  /** @throws Unavailable. */
  async during<Result>(
    { source, sourceBranch, target, targetBranch }: ProposedBranches,
    show: (preview: Preview) => Promise<Result>,
  ): Promise<Result | MissingBranches> {
    const pair = { projectId: target.project.id, targetBranch, sourceProjectId: source.project.id, sourceBranch };
    const tips = await this.parts.look.tips(pair);
    if (tips?.source == null || tips.target === null)
      return { source: tips?.source == null, target: tips?.target == null };
    const { repository, sourceRepository } = tips;
    const brought = await this.parts.bringCommits.execute(repository, sourceRepository, tips.target);
    try {
      const base = await this.parts.history.mergeBase(sourceRepository.store, [tips.target, tips.source]);
      return await show({ store: sourceRepository.store, base, target: tips.target, head: tips.source });
    } finally {
      await brought?.settle();
    }
  }
}
