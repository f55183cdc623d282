import type { ObjectId } from '../../../domain/repositories/object-id.js';
import { branchRef } from '../../../domain/repositories/ref-name.js';
import type { RefRepository } from '../../repositories/ports/repository-repositories.js';

export interface RefNeeds {
  readonly refs: Pick<RefRepository, 'targetsOf'>;
}

/**
 * Whether a branch leads to a commit, asked within a transaction that holds the pipelines of its project: what a newer push makes of it
 * then isn't there yet where it does.
 */
export const isStillAt = async (
  { refs }: RefNeeds,
  repositoryId: number,
  branch: string,
  sha: ObjectId,
): Promise<boolean> => {
  const name = branchRef(branch);
  return (await refs.targetsOf(repositoryId, [name])).get(name) === sha;
};
