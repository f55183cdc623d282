import type { ObjectId } from '../repositories/object-id.js';

interface CommitLink {
  readonly id: ObjectId;
  readonly parents: readonly ObjectId[];
}

/**
 * Those of some commits that have, in their own history, a commit that a branch was brought.
 * @param links what these commits have and the branch had not before, each commit after its parents.
 */
export const reachingAnyOf = (
  tips: readonly ObjectId[],
  links: readonly CommitLink[],
  brought: ReadonlySet<ObjectId>,
): ReadonlySet<ObjectId> => {
  const reaching = new Set<ObjectId>();
  for (const { id, parents } of links)
    if (brought.has(id) || parents.some((parent) => reaching.has(parent))) reaching.add(id);
  return new Set(tips.filter((tip) => reaching.has(tip)));
};
