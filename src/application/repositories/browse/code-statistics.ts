import type { HistoryReader } from '../ports/object-stores.js';
import type { PermittedCode, Revisions } from './revisions.js';

export interface CodeSize {
  /** That lead to the default branch. */
  readonly commits: number;
  /** Of the packs that pushes brought. */
  readonly bytes: number;
}

/** How large the code of a project is. */
export class CodeStatistics {
  constructor(
    private readonly revisions: Revisions,
    private readonly history: HistoryReader,
  ) {}

  async of(permitted: PermittedCode): Promise<CodeSize> {
    const repository = await this.revisions.repositoryOf(permitted);
    if (repository === undefined) return { commits: 0, bytes: 0 };
    const main = await this.revisions.findIn(repository, permitted);
    const commits = main === undefined ? 0 : await this.history.count(main.store, { tips: [main.commit.id] });
    return { commits, bytes: repository.sizeBytes };
  }
}
