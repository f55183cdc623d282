import { ChangeRefs } from '../../application/repositories/change-refs.js';
import { CommitActions } from '../../application/repositories/commit-actions.js';
import { CommitToBranch } from '../../application/repositories/commit-to-branch.js';
import { PickCommits } from '../../application/repositories/pick-commits.js';
import type { LandChanges } from '../../application/repositories/land-changes.js';
import type { MoveRefs } from '../../application/repositories/move-refs.js';
import type { OpenRepository } from '../../application/repositories/open-repository.js';
import type { RefReader } from '../../application/repositories/ports/ref-reader.js';
import type { Revisions } from '../../application/repositories/browse/revisions.js';
import type { Clock } from '../../application/shared/ports/clock.js';
import type { GitStores } from '../../adapters/outbound/git/open-git-stores.js';

interface Parts {
  readonly openRepository: OpenRepository;
  readonly landChanges: LandChanges;
  readonly moveRefs: MoveRefs;
  readonly revisions: Revisions;
  readonly refs: RefReader;
  readonly clock: Clock;
  readonly stores: GitStores;
}

/** The use cases by which the API changes code. */
export interface CodeWriting {
  readonly commitActions: CommitActions;
  readonly changeRefs: ChangeRefs;
  readonly pickCommits: PickCommits;
}

export const composeCodeWriting = (parts: Parts): CodeWriting => {
  const { objects, history, merger, intake } = parts.stores;
  const commitToBranch = new CommitToBranch({ ...parts, intake });
  const commitActions = new CommitActions({ ...parts, commitToBranch, objects, history });
  return {
    commitActions,
    changeRefs: new ChangeRefs({ ...parts, commitToBranch, commitActions }),
    pickCommits: new PickCommits({ ...parts, commitToBranch, merger, objects }),
  };
};
