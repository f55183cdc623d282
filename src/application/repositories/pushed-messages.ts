import { branchRef } from '../../domain/repositories/ref-name.js';
import type { ProjectId } from '../../domain/shared/identifiers.js';
import type { Commit, HistoryReader } from './ports/object-stores.js';
import type { RefReader } from './ports/ref-reader.js';
import type { PushedCommits } from './ports/repository-repositories.js';

/** Commits of one branch that are read at most: a push of a whole history says nothing new. */
export const MOST_COMMITS = 100;

/** The commits that a branch got by a push. */
export class PushedMessages {
  constructor(
    private readonly refs: RefReader,
    private readonly history: HistoryReader,
  ) {}

  /** The oldest first. `closing` tells whether the branch is the default one. */
  async read(
    { id, defaultBranch }: { readonly id: ProjectId; readonly defaultBranch: string | null },
    { branch, from, to }: PushedCommits,
  ): Promise<{ readonly commits: readonly Commit[]; readonly closing: boolean }> {
    const closing = branch === defaultBranch;
    const repository = await this.refs.findRepository(id);
    if (repository === undefined) return { commits: [], closing };
    const main =
      closing || defaultBranch === null ? undefined : await this.refs.findRef(repository.id, branchRef(defaultBranch));
    const not = [from, main?.target].filter((each) => each !== null && each !== undefined);
    const commits = await this.history.log(repository.store, { tips: [to], not, limit: MOST_COMMITS });
    return { commits: [...commits].reverse(), closing };
  }
}
