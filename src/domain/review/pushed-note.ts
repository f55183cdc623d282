/** The newest of them are listed. */
const LISTED = 20;
const LONGEST_TITLE = 200;
const SHORT = 8;

export interface PushedNoteParts {
  readonly from: string;
  readonly to: string;
  /** The oldest first. */
  readonly commits: readonly { readonly id: string; readonly title: string }[];
  /** So many are read at most: there may be more. */
  readonly limit: number;
}

const shortId = (id: string): string => id.slice(0, SHORT);

/** What a merge request says of a push to its source branch. */
export const pushedNote = ({ from, to, commits, limit }: PushedNoteParts): string => {
  if (commits.length === 0) return `moved the source branch from ${shortId(from)} to ${shortId(to)}`;
  const count = `${commits.length}${commits.length < limit ? '' : ' or more'}`;
  const lines = commits.slice(-LISTED).map(({ id, title }) => `* ${shortId(id)} - ${title.slice(0, LONGEST_TITLE)}`);
  const more = commits.length > LISTED ? `\n\nThe newest ${LISTED} are listed.` : '';
  return `added ${count} ${commits.length === 1 ? 'commit' : 'commits'}\n\n${lines.join('\n')}${more}`;
};
