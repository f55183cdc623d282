import type { ObjectId } from '../../domain/repositories/object-id.js';
import type { HistoryReader, ObjectReader } from '../repositories/ports/object-stores.js';
import type { Permitted } from '../shared/permitted.js';
import type { LookAtBranches } from './look-at-branches.js';

/** Two branches, one of which may be merged into the other. */
export interface ProposedBranches {
  readonly source: Permitted<'push_code'>;
  readonly sourceBranch: string;
  readonly target: Permitted<'open_merge_requests'>;
  readonly targetBranch: string;
}

/** What would be merged, by a name under which all of it is read. */
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
 * Looks at what would be merged before a merge request is opened. Both repositories are read as they are: nothing of either reaches those
 * who read the other one before it is asked for.
 */
export class PreviewChanges {
  constructor(
    private readonly parts: {
      readonly look: LookAtBranches;
      readonly history: Pick<HistoryReader, 'mergeBase'>;
      readonly objects: Pick<ObjectReader, 'both'>;
    },
  ) {}

  /** @throws Unavailable. */
  async execute({ source, sourceBranch, target, targetBranch }: ProposedBranches): Promise<Preview | MissingBranches> {
    const pair = { projectId: target.project.id, targetBranch, sourceProjectId: source.project.id, sourceBranch };
    const tips = await this.parts.look.tips(pair);
    if (tips?.source == null || tips.target === null)
      return { source: tips?.source == null, target: tips?.target == null };
    const [own, other] = [tips.sourceRepository.store, tips.repository.store];
    const store = own === other ? own : this.parts.objects.both(own, other);
    const base = await this.parts.history.mergeBase(store, [tips.target, tips.source]);
    return { store, base, target: tips.target, head: tips.source };
  }
}
