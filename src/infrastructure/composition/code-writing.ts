import { ChangeRefs } from '../../application/repositories/change-refs.js';
import { CommitActions } from '../../application/repositories/commit-actions.js';
import { CommitToBranch } from '../../application/repositories/commit-to-branch.js';
import { BringCommits } from '../../application/repositories/operations/bring-commits.js';
import type { MovingRepositories } from '../../application/repositories/operations/move-refs-within.js';
import { PickCommits } from '../../application/repositories/pick-commits.js';
import type { MergeOrigins } from '../../application/repositories/ports/merge-origins.js';
import type { LandChanges } from '../../application/repositories/land-changes.js';
import type { MoveRefs } from '../../application/repositories/move-refs.js';
import type { OpenRepository } from '../../application/repositories/open-repository.js';
import { PushedMessages } from '../../application/repositories/pushed-messages.js';
import type { ReleaseReader, ReleaseRepository } from '../../application/repositories/ports/release-repository.js';
import { Releases } from '../../application/repositories/releases.js';
import { RemoveMergedBranches } from '../../application/repositories/remove-merged-branches.js';
import type { ProtectedRefRepository } from '../../application/repositories/ports/repository-repositories.js';
import type { UnitOfWork } from '../../application/shared/unit-of-work.js';
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
  readonly protections: Pick<ProtectedRefRepository, 'branchesOf'>;
  readonly origins: MergeOrigins;
  readonly releaseReader: ReleaseReader;
  readonly unitOfWork: UnitOfWork<MovingRepositories & { readonly releases: ReleaseRepository }>;
  readonly clock: Clock;
  readonly stores: GitStores;
}

/** The use cases by which the API changes code. */
export interface CodeWriting {
  readonly pushedMessages: PushedMessages;
  readonly removeMergedBranches: RemoveMergedBranches;
  readonly releases: Releases;
  readonly releaseReader: ReleaseReader;
  readonly commitActions: CommitActions;
  readonly changeRefs: ChangeRefs;
  readonly pickCommits: PickCommits;
}

export const composeCodeWriting = (parts: Parts): CodeWriting => {
  const { objects, history, merger, intake } = parts.stores;
  const commitToBranch = new CommitToBranch({ ...parts, intake });
  const bringCommits = new BringCommits({ ...parts.stores, refs: parts.refs });
  const commitActions = new CommitActions({ ...parts, commitToBranch, objects, bringCommits });
  const changeRefs = new ChangeRefs({ ...parts, commitToBranch, commitActions });
  return {
    commitActions,
    changeRefs,
    pushedMessages: new PushedMessages(parts.refs, history),
    releases: new Releases({ ...parts, reader: parts.releaseReader, changeRefs }),
    releaseReader: parts.releaseReader,
    removeMergedBranches: new RemoveMergedBranches({ ...parts, changeRefs, history }),
    pickCommits: new PickCommits({ ...parts, commitToBranch, merger, objects }),
  };
};
