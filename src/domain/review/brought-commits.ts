/** By ids. */
interface CommitLink {
  readonly id: string;
  readonly parents: readonly string[];
}

/**
 * Those of some commits that have, in their own history, a commit that a branch was brought.
 * @param links what these commits have and the branch had not before, each commit after its parents.
 */
export const reachingAnyOf = (
  tips: readonly string[],
  links: readonly CommitLink[],
  brought: ReadonlySet<string>,
): ReadonlySet<string> => {
  const reaching = new Set<string>();
  for (const { id, parents } of links)
    if (brought.has(id) || parents.some((parent) => reaching.has(parent))) reaching.add(id);
  return new Set(tips.filter((tip) => reaching.has(tip)));
};
