import type { UserReader } from '../../../../../application/identity/ports/identity-readers.js';
import type { ChangeRefs } from '../../../../../application/repositories/change-refs.js';
import type { CommitActions } from '../../../../../application/repositories/commit-actions.js';
import type { PickCommits } from '../../../../../application/repositories/pick-commits.js';
import type { ProtectedRefRepository } from '../../../../../application/repositories/ports/repository-repositories.js';
import type { ReleaseReader } from '../../../../../application/repositories/ports/release-repository.js';
import type { RemoveMergedBranches } from '../../../../../application/repositories/remove-merged-branches.js';
import type { Templates } from '../../../../../application/templates/templates.js';
import type { CodePagesParts } from './code-pages-parts.js';

export interface CodeWritingPagesParts extends CodePagesParts {
  readonly users: UserReader;
  readonly templates: Templates;
  readonly commitActions: CommitActions;
  readonly pickCommits: PickCommits;
  readonly changeRefs: ChangeRefs;
  readonly releaseReader: Pick<ReleaseReader, 'ofTags'>;
  readonly removeMergedBranches: RemoveMergedBranches;
  readonly protections: Pick<ProtectedRefRepository, 'branchesOf' | 'tagsOf'>;
}
