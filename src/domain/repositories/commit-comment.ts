import { parsePatch } from '../shared/patch.js';

export const LINE_TYPES = ['new', 'old'] as const;
/** Whether a line is counted in the file as it is after a commit, or as it was before. */
export type LineType = (typeof LINE_TYPES)[number];

export interface CommentedLine {
  readonly path: string;
  readonly line: number;
  readonly lineType: LineType;
}

/** Whether a patch shows a line. */
export const showsLine = (patch: string, wanted: number, type: LineType): boolean =>
  parsePatch(patch).some(({ lines }) => lines.some(({ from, to }) => (type === 'old' ? from : to) === wanted));
