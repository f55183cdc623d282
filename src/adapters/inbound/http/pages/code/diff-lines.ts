/** A line of a patch, with its numbers on both sides. */
export interface DiffLine {
  readonly kind: 'context' | 'added' | 'deleted' | 'note';
  readonly from: number | undefined;
  readonly to: number | undefined;
  readonly text: string;
}

export interface Hunk {
  /** What stands behind the numbers: the function, as git finds it. */
  readonly title: string;
  readonly lines: readonly DiffLine[];
}

/** Two lines side by side; a side that has none is undefined. */
export interface Pair {
  readonly left: DiffLine | undefined;
  readonly right: DiffLine | undefined;
}

const HEAD = /^@@ -(\d+)(?:,\d+)? \+(\d+)(?:,\d+)? @@ ?(.*)$/;

/** Lines that end in CR LF show neither. */
const shown = (line: string): string => line.slice(1).replace(/\r$/, '').replaceAll('\r', '\u240d');

/** @param patch from its first `@@` on. */
export const parsePatch = (patch: string): readonly Hunk[] => {
  const hunks: { title: string; lines: DiffLine[] }[] = [];
  let [from, to] = [0, 0];
  for (const line of patch.split('\n')) {
    const head = HEAD.exec(line);
    if (head !== null) {
      [from, to] = [Number(head[1]), Number(head[2])];
      hunks.push({ title: head[3] ?? '', lines: [] });
      continue;
    }
    const lines = hunks.at(-1)?.lines;
    const text = shown(line);
    if (line.startsWith('+')) lines?.push({ kind: 'added', from: undefined, to: to++, text });
    else if (line.startsWith('-')) lines?.push({ kind: 'deleted', from: from++, to: undefined, text });
    else if (line.startsWith(' ')) lines?.push({ kind: 'context', from: from++, to: to++, text });
    else if (line.startsWith('\\')) lines?.push({ kind: 'note', from: undefined, to: undefined, text: text.trim() });
  }
  return hunks;
};

/** What was deleted stands beside what was added in its place. */
export const sideBySide = (lines: readonly DiffLine[]): readonly Pair[] => {
  const pairs: Pair[] = [];
  let [deleted, added]: DiffLine[][] = [[], []];
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
