import type { DiffPosition, LineNumbers } from '../shared/diff-position.js';
import { followLines, parsePatch, type PatchLine } from '../shared/patch.js';

/** A file of a diff, with as much of it as following its lines takes. */
export interface ComparedFile {
  readonly oldPath: string;
  readonly newPath: string;
  readonly patch: string;
  /** It can't be seen line by line. */
  readonly opaque: boolean;
  readonly deleted: boolean;
}

/** What happened from one version of a merge request to another. */
export interface VersionStep {
  /** What changed in its source branch. */
  readonly source: readonly ComparedFile[];
  /** What changed in the commit that both branches have. */
  readonly base: readonly ComparedFile[];
  /** What it changes now. */
  readonly now: readonly ComparedFile[];
  readonly to: Pick<DiffPosition, 'baseSha' | 'startSha' | 'headSha'>;
}

export interface FollowedPosition {
  readonly position: DiffPosition;
  /** Tells whether all lines around it, so many above and below, stand around it still. */
  readonly keeps: (above: number, below: number) => boolean;
}

type Side = 'old' | 'new';

/** Makes a value of each key once. */
const memo = <Value>(make: (key: string) => Value): ((key: string) => Value) => {
  const made = new Map<string, Value>();
  return (key) => {
    if (!made.has(key)) made.set(key, make(key));
    return made.get(key)!;
  };
};

/** Where a file of a commit is in another, and its lines in it; undefined where it is gone, or can't be followed. */
const waysThrough = (files: readonly ComparedFile[]) => {
  const byPath = new Map(files.map((file) => [file.oldPath, file]));
  return memo((path) => {
    const file = byPath.get(path);
    if (file === undefined) return { path, line: (line: number): number | undefined => line };
    return file.deleted || file.opaque ? undefined : { path: file.newPath, line: followLines(parsePatch(file.patch)) };
  });
};

/** Finds lines of a diff by their numbers on one side. */
const linesOf = (files: readonly ComparedFile[], side: Side) => {
  const byPath = new Map(files.map((file) => [side === 'old' ? file.oldPath : file.newPath, file]));
  return memo((path) => {
    const file = byPath.get(path);
    if (file === undefined) return undefined;
    const lines = new Map<number | undefined, PatchLine>();
    for (const { lines: shown } of parsePatch(file.patch))
      for (const line of shown) lines.set(side === 'old' ? line.from : line.to, line);
    return { file, lines };
  });
};

const kindOf = ({ oldLine, newLine }: LineNumbers): PatchLine['kind'] => {
  if (oldLine === null) return 'added';
  return newLine === null ? 'deleted' : 'context';
};

const numbersOf = ({ from, to }: PatchLine): LineNumbers => ({ oldLine: from ?? null, newLine: to ?? null });

/** Follows positions through a step; undefined for one whose lines have changed, or are shown no more. */
export const followThrough = ({ source, base, now, to }: VersionStep) => {
  const ways = { old: waysThrough(base), new: waysThrough(source) };
  const shown = { old: linesOf(now, 'old'), new: linesOf(now, 'new') };

  const followLine = ({ oldPath, newPath }: DiffPosition, line: LineNumbers) => {
    const side = line.newLine === null ? 'old' : 'new';
    const way = ways[side](side === 'old' ? oldPath : newPath);
    const number = way?.line(line.newLine ?? line.oldLine ?? 0);
    if (way === undefined || number === undefined) return undefined;
    const found = shown[side](way.path);
    const there = found?.lines.get(number);
    return found && there?.kind === kindOf(line) ? { file: found.file, line: numbersOf(there) } : undefined;
  };

  return (position: DiffPosition): FollowedPosition | undefined => {
    const last = followLine(position, position);
    const first = position.first === null ? null : followLine(position, position.first)?.line;
    if (last === undefined || first === undefined) return undefined;
    const { oldPath, newPath } = last.file;
    return {
      position: { ...to, oldPath, newPath, ...last.line, first },
      keeps: (above, below) => {
        const { newLine: from } = position;
        const way = ways.new(position.newPath);
        for (let beside = -above; from !== null && beside <= below; beside += 1)
          if (from + beside > 0 && way?.line(from + beside) !== last.line.newLine! + beside) return false;
        return true;
      },
    };
  };
};
