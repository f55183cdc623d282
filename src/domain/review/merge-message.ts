import type { MergeRequest } from './merge-request.js';

/** What a merge commit says unless it is told. */
export const mergeMessage = (
  { title, iid, sourceBranch, targetBranch }: Pick<MergeRequest, 'title' | 'iid' | 'sourceBranch' | 'targetBranch'>,
  projectPath: string,
  closing: readonly string[],
): string =>
  [
    `Merge branch '${sourceBranch}' into '${targetBranch}'`,
    title,
    ...(closing.length === 0 ? [] : [`Closes ${listed(closing)}`]),
    `See merge request ${projectPath}!${iid}`,
  ].join('\n\n');

const listed = (references: readonly string[]): string => {
  const last = references.at(-1) ?? '';
  return references.length < 2 ? last : `${references.slice(0, -1).join(', ')} and ${last}`;
};
