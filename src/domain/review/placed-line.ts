import type { DiffPosition, ExcerptLine, LineNumbers } from '../shared/diff-position.js';
import { parsePatch, type PatchLine } from '../shared/patch.js';

/** Lines that are shown above those that a discussion is about. */
const LINES_ABOVE = 4;
/** Lines of an excerpt, and characters of each. */
const MOST_LINES = 20;
const MOST_CHARACTERS = 400;

const isLine =
  ({ oldLine, newLine }: LineNumbers) =>
  ({ kind, from, to }: PatchLine): boolean =>
    kind !== 'note' && (from ?? null) === oldLine && (to ?? null) === newLine;

const excerptLine = ({ from, to, text }: PatchLine): ExcerptLine => ({
  oldLine: from ?? null,
  newLine: to ?? null,
  text: cut(text.replaceAll('\0', '\ufffd')),
});

/** Never through a character. */
const cut = (text: string): string => text.slice(0, MOST_CHARACTERS).toWellFormed();

/**
 * What a patch shows of lines, with some above; undefined where it doesn't show them, or not in one piece and in that order.
 */
export const excerptOf = (
  patch: string,
  { first, ...last }: Pick<DiffPosition, 'oldLine' | 'newLine' | 'first'>,
): readonly ExcerptLine[] | undefined => {
  for (const { lines } of parsePatch(patch)) {
    const end = lines.findIndex(isLine(last));
    if (end === -1) continue;
    const begin = first === null ? end : lines.findIndex(isLine(first));
    if (begin === -1 || begin > end) return undefined;
    const from = Math.max(begin - LINES_ABOVE, end - MOST_LINES + 1, 0);
    return lines
      .slice(from, end + 1)
      .filter(({ kind }) => kind !== 'note')
      .map(excerptLine);
  }
  return undefined;
};
