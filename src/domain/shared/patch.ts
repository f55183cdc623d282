/** A line of a patch, with its numbers on both sides. */
export interface PatchLine {
  readonly kind: 'context' | 'added' | 'deleted' | 'note';
  readonly from: number | undefined;
  readonly to: number | undefined;
  /** As it is in the file, without its line feed. */
  readonly text: string;
}

export interface Hunk {
  /** What stands behind the numbers: the function, as git finds it. */
  readonly title: string;
  readonly lines: readonly PatchLine[];
}

const HEAD = /^@@ -(\d+)(?:,\d+)? \+(\d+)(?:,\d+)? @@ ?(.*)$/;

const KINDS: Readonly<Record<string, PatchLine['kind']>> = {
  '+': 'added',
  '-': 'deleted',
  ' ': 'context',
  '\\': 'note',
};

/** @param patch from its first `@@` on. */
export const parsePatch = (patch: string): readonly Hunk[] => {
  const hunks: { title: string; lines: PatchLine[] }[] = [];
  let [from, to] = [0, 0];
  for (const line of patch.split('\n')) {
    const head = HEAD.exec(line);
    if (head !== null) {
      [from, to] = [Number(head[1]), Number(head[2])];
      hunks.push({ title: head[3] ?? '', lines: [] });
      continue;
    }
    const kind = KINDS[line.charAt(0)];
    if (kind === undefined) continue;
    const [before, after] = [kind === 'deleted' || kind === 'context', kind === 'added' || kind === 'context'];
    const numbers = { from: before ? from++ : undefined, to: after ? to++ : undefined };
    hunks.at(-1)?.lines.push({ kind, ...numbers, text: line.slice(1) });
  }
  return hunks;
};

/** Tells where a line of the file before is in the file after; undefined where it was changed or removed. */
export const followLines = (hunks: readonly Hunk[]): ((line: number) => number | undefined) => {
  const shown = new Map<number, number | undefined>();
  /** By how much lines behind a hunk are moved. */
  const behind: { readonly last: number; readonly shift: number }[] = [];
  let shift = 0;
  let last = 0;
  for (const { lines } of hunks) {
    for (const { kind, from, to } of lines) {
      if (from !== undefined) shown.set((last = from), to);
      if (kind === 'added') shift += 1;
      if (kind === 'deleted') shift -= 1;
    }
    behind.push({ last, shift });
  }
  return (line) =>
    shown.has(line) ? shown.get(line) : line + (behind.findLast((hunk) => hunk.last < line)?.shift ?? 0);
};
