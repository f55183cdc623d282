import { TooLarge, type Diff, type DiffFile } from '../../../../../application/repositories/ports/object-stores.js';
import type { Hunk } from '../../../../../domain/shared/patch.js';
import type { PageContext } from '../page-context.js';
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

export const showDiff = (diff: Diff, options: DiffOptions): ShownDiff => {
  let lines = 0;
  const files = diff.files.map((file, index): ShownDiffFile => {
    const { patch, ...rest } = file;
    const hunks = shownHunks(patch).map((hunk) => ({
      ...hunk,
      pairs: options.sideBySide ? sideBySide(hunk.lines) : [],
    }));
    const own = hunks.reduce((sum, { lines: { length } }) => sum + length, 0);
    lines += own;
    return { ...rest, hunks, anchor: `file-${index + 1}`, open: own <= FOLDED_FILE && lines <= FOLDED_ALL };
  });
  return {
    files,
    additions: files.reduce((sum, { additions }) => sum + additions, 0),
    deletions: files.reduce((sum, { deletions }) => sum + deletions, 0),
    overflow: diff.files.length >= DIFF_LIMITS.files || (diff.overflow && diff.files.length === 0),
  };
};
