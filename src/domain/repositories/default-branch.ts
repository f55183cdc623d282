/** What a new project calls its first branch, where nobody says otherwise. */
export const DEFAULT_BRANCH = 'main';
const PREFERRED = [DEFAULT_BRANCH, 'master'];

/**
 * The default branch of a project that gets its first branches.
 * @param wanted the one that the project was created with, if any.
 */
export const firstDefaultBranch = (wanted: string | null, pushed: readonly string[]): string | undefined => {
  const preferred = wanted === null ? PREFERRED : [wanted, ...PREFERRED];
  return preferred.find((name) => pushed.includes(name)) ?? pushed[0];
};
