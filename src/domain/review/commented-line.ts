import type { LineNumbers } from '../shared/diff-position.js';
import { parsePatch } from '../shared/patch.js';

export const LINE_TYPES = ['new', 'old'] as const;
/** Whether a line is counted in the file as it is after a commit, or as it was before. */
export type LineType = (typeof LINE_TYPES)[number];

export interface CommentedLine {
  readonly path: string;
  readonly line: number;
  readonly lineType: LineType;
}

/** The numbers of a line in a patch; undefined where the patch doesn't show it. */
export const lineShown = (patch: string, wanted: number, type: LineType): LineNumbers | undefined => {
  for (const { lines } of parsePatch(patch)) {
    const shown = lines.find(({ from, to }) => (type === 'old' ? from : to) === wanted);
    if (shown !== undefined) return { oldLine: shown.from ?? null, newLine: shown.to ?? null };
  }
  return undefined;
};
