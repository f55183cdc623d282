import type { ObjectId } from '../../../domain/repositories/object-id.js';
import type { StoreName } from './object-stores.js';

export interface ContainingRefs {
  /** Full names of the branches and tags that have a commit in their history. @throws Unavailable, Overloaded. */
  of(
    repository: { readonly store: StoreName; readonly repositoryId: number },
    commit: ObjectId,
  ): Promise<readonly string[]>;
}
