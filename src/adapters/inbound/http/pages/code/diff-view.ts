import { createHash } from 'node:crypto';
import { TooLarge, type Diff, type DiffFile } from '../../../../../application/repositories/ports/object-stores.js';
import type { Hunk } from '../../../../../domain/shared/patch.js';
import type { PageContext } from '../page-context.js';
import { allowLiveScript } from '../page-headers.js';
import { shownHunks, sideBySide, type Pair } from './diff-lines.js';
import { queryText } from './query.js';

/** Patches that a page shows; what is larger has a link to the file. */
export const DIFF_LIMITS = { files: 300, bytesPerFile: 100_000, bytes: 400_000 } as const;

/** A file of more lines is folded; so are all after as many. */
const FOLDED_FILE = 400;
const FOLDED_ALL = 2_000;

export interface DiffOptions {
  readonly sideBySide: boolean;
  readonly ignoreWhitespace: boolean;
}

export interface ShownDiffFile extends Omit<DiffFile, 'patch'> {
  readonly anchor: string;
  /** What `viewed.js` knows this person's view of these two versions of the file by. */
  readonly mark: string;
  readonly open: boolean;
  readonly hunks: readonly (Hunk & { readonly pairs: readonly Pair[] })[];
}

export interface ShownDiff {
  readonly files: readonly ShownDiffFile[];
  readonly additions: number;
  readonly deletions: number;
  /** Not every file is listed; or none, of what is too large. */
  readonly overflow: boolean;
}

export const diffOptions = (context: PageContext): DiffOptions => ({
  sideBySide: queryText(context, 'view') === 'parallel',
  ignoreWhitespace: queryText(context, 'w') === '1',
});

/** A change without files, of which there are more than can be shown, where it is too large to be told. */
export const orTooLarge = async (change: Promise<Diff>): Promise<Diff> => {
  try {
    return await change;
  } catch (error) {
    if (error instanceof TooLarge) return { files: [], overflow: true };
    throw error;
  }
};

const MARK_LENGTH = 16;

const markOf = ({ user }: PageContext['browser'], { newPath, oldId, newId }: DiffFile): string =>
  createHash('sha256')
    .update(JSON.stringify([user?.id, newPath, oldId, newId]))
    .digest('base64url')
    .slice(0, MARK_LENGTH);

/** What a page shows of a change; the page may run the script that marks its files. */
export const showDiff = ({ browser, response }: PageContext, diff: Diff, options: DiffOptions): ShownDiff => {
  if (diff.files.length > 0) allowLiveScript(response);
  let lines = 0;
  const files = diff.files.map((file, index): ShownDiffFile => {
    const { patch, ...rest } = file;
    const hunks = shownHunks(patch).map((hunk) => ({
      ...hunk,
      pairs: options.sideBySide ? sideBySide(hunk.lines) : [],
    }));
    const own = hunks.reduce((sum, { lines: { length } }) => sum + length, 0);
    lines += own;
    const open = own <= FOLDED_FILE && lines <= FOLDED_ALL;
    return { ...rest, hunks, anchor: `file-${index + 1}`, mark: markOf(browser, file), open };
  });
  return {
    files,
    additions: files.reduce((sum, { additions }) => sum + additions, 0),
    deletions: files.reduce((sum, { deletions }) => sum + deletions, 0),
    overflow: diff.files.length >= DIFF_LIMITS.files || (diff.overflow && diff.files.length === 0),
  };
};
