/** A line of a diff by its numbers: in the file before, after, or, where it didn't change, both. */
export interface LineNumbers {
  readonly oldLine: number | null;
  readonly newLine: number | null;
}

/** What a discussion of a diff is about. */
export interface DiffPosition extends LineNumbers {
  /** The commits that were compared: from `base` to `head`; `start` is where the target branch was. */
  readonly baseSha: string;
  readonly startSha: string;
  readonly headSha: string;
  readonly oldPath: string;
  readonly newPath: string;
  /** The first of several lines that end with this one; null where it is one. */
  readonly first: LineNumbers | null;
}

/** A line as it was shown when a discussion began there. */
export interface ExcerptLine extends LineNumbers {
  readonly text: string;
}

/** Where a discussion is. */
export interface DiscussionPlace {
  /** As far as it could be followed through the code. */
  readonly position: DiffPosition;
  /** Where it began. */
  readonly original: DiffPosition;
  /** The lines have changed since. */
  readonly outdated: boolean;
  readonly excerpt: readonly ExcerptLine[];
}

/** Whether a position is of the comparison of two commits. */
export const isOfDiff = (
  { baseSha, headSha }: Pick<DiffPosition, 'baseSha' | 'headSha'>,
  { base, head }: { readonly base: string; readonly head: string },
): boolean => baseSha === base && headSha === head;
