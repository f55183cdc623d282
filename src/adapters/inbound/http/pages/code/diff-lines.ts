import { parsePatch, type Hunk, type PatchLine } from '../../../../../domain/shared/patch.js';

/** Two lines side by side; a side that has none is undefined. */
export interface Pair {
  readonly left: PatchLine | undefined;
  readonly right: PatchLine | undefined;
}

/** Lines that end in CR LF show neither. */
const shown = (line: PatchLine): PatchLine => ({
  ...line,
  text: line.kind === 'note' ? line.text.trim() : line.text.replace(/\r$/, '').replaceAll('\r', '\u240d'),
});

/** The hunks of a patch as a page shows them. @param patch from its first `@@` on. */
export const shownHunks = (patch: string): readonly Hunk[] =>
  parsePatch(patch).map((hunk) => ({ ...hunk, lines: hunk.lines.map(shown) }));

/** What was deleted stands beside what was added in its place. */
export const sideBySide = (lines: readonly PatchLine[]): readonly Pair[] => {
  const pairs: Pair[] = [];
  let [deleted, added]: PatchLine[][] = [[], []];
  const flush = () => {
    const most = Math.max(deleted!.length, added!.length);
    for (let index = 0; index < most; index += 1) pairs.push({ left: deleted![index], right: added![index] });
    [deleted, added] = [[], []];
  };
  for (const line of lines) {
    if (line.kind === 'deleted') {
      if (added!.length > 0) flush();
      deleted!.push(line);
    } else if (line.kind === 'added') added!.push(line);
    else if (line.kind === 'context') {
      flush();
      pairs.push({ left: line, right: line });
    }
  }
  flush();
  return pairs;
};
