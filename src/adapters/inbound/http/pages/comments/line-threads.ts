import type { DiffPosition, LineNumbers } from '../../../../../domain/shared/diff-position.js';
import type { ShownDiff, ShownDiffFile } from '../code/diff-view.js';
import type { ShownThread } from './threads.js';

interface NumberedLine {
  readonly from: number | undefined;
  readonly to: number | undefined;
}

/** What stands at the lines of a diff. */
export interface PlacedAt<Thing> {
  /** Those of a line. */
  readonly at: (file: ShownDiffFile, line: NumberedLine | undefined) => readonly Thing[];
  /** Whether a file has one. */
  readonly isWithin: (file: ShownDiffFile) => boolean;
}

/** The threads at the lines of a diff, and the form of another one. */
export interface LineThreads extends PlacedAt<ShownThread> {
  /** Whether a file has one, or is to have one. */
  readonly isWithin: (file: ShownDiffFile) => boolean;
  /** What a line is called in addresses. */
  readonly nameOf: (file: ShownDiffFile, line: NumberedLine) => string;
  /** The line that somebody is about to comment on. */
  readonly chosen: string;
  readonly more: boolean;
}

const keyOf = (path: string, { oldLine, newLine }: LineNumbers): string => `${oldLine ?? 0} ${newLine ?? 0} ${path}`;

const numbersOf = ({ from, to }: NumberedLine): LineNumbers => ({ oldLine: from ?? null, newLine: to ?? null });

const nameOf = ({ anchor }: ShownDiffFile, { from, to }: NumberedLine): string =>
  `${anchor.replace('file-', '')}_${from ?? 0}_${to ?? 0}`;

/** @param placed what stands somewhere, each with its position in the diff. */
export const placedAt = <Thing>(placed: readonly (readonly [Thing, DiffPosition])[]): PlacedAt<Thing> => {
  const byLine = Map.groupBy(placed, ([, position]) => keyOf(position.newPath, position));
  const paths = new Set(placed.map(([, { newPath }]) => newPath));
  return {
    at: ({ newPath }, line) => ((line && byLine.get(keyOf(newPath, numbersOf(line)))) ?? []).map(([thing]) => thing),
    isWithin: ({ newPath }) => paths.has(newPath),
  };
};

/** @param placed threads, each with its position in the diff. */
export const lineThreadsAt = (
  placed: readonly (readonly [ShownThread, DiffPosition])[],
  { chosen, more }: Pick<LineThreads, 'chosen' | 'more'>,
): LineThreads => {
  const { at, isWithin } = placedAt(placed);
  return {
    at,
    isWithin: (file) => isWithin(file) || chosen.startsWith(`${file.anchor.replace('file-', '')}_`),
    nameOf,
    chosen,
    more,
  };
};

/** Tells whether a page that shows a diff shows the line of a thread. */
export const isShownIn = ({ files }: ShownDiff): ((thread: ShownThread) => boolean) => {
  const shown = files.filter(({ tooLarge, binary }) => !tooLarge && !binary);
  const keys = new Set(
    shown.flatMap(({ newPath, hunks }) =>
      hunks.flatMap(({ lines }) => lines.map((line) => keyOf(newPath, numbersOf(line)))),
    ),
  );
  return ({ at }) => at !== null && keys.has(keyOf(at.position.newPath, at.position));
};
