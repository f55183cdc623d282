import type { ObjectId } from '../../../domain/repositories/object-id.js';
import { Unavailable } from '../../../domain/shared/domain-error.js';
import type { ObjectReader } from '../ports/object-stores.js';
import type { PermittedCode, Revisions } from './revisions.js';

/** Tells which ids in a text are commits of its project. */
export class NamedCommits {
  constructor(
    private readonly revisions: Revisions,
    private readonly objects: ObjectReader,
  ) {}

  /** None while git is out of reach: a text is shown without its links then. */
  async among(permitted: PermittedCode, ids: readonly ObjectId[]): Promise<readonly ObjectId[]> {
    try {
      const repository = await this.revisions.repositoryOf(permitted);
      if (repository === undefined) return [];
      const found = await Promise.all(ids.map((id) => this.objects.info(repository.store, id)));
      return ids.filter((_id, index) => found[index]?.type === 'commit');
    } catch (error) {
      if (error instanceof Unavailable) return [];
      throw error;
    }
  }
}
