import type { ObjectId } from '../../../domain/repositories/object-id.js';
import type { ContainingRefs } from '../ports/containing-refs.js';
import type { HistoryReader, StoreName } from '../ports/object-stores.js';
import type { ProjectRefs } from '../project-refs.js';

/** Asks git, which reads refs in the files, once they say what the rows say. */
export class FindContainingRefs implements ContainingRefs {
  constructor(
    private readonly projectRefs: Pick<ProjectRefs, 'execute'>,
    private readonly history: Pick<HistoryReader, 'refsContaining'>,
  ) {}

  async of(
    { store, repositoryId }: { readonly store: StoreName; readonly repositoryId: number },
    commit: ObjectId,
  ): Promise<readonly string[]> {
    await this.projectRefs.execute({ id: repositoryId, store });
    return this.history.refsContaining(store, commit);
  }
}
