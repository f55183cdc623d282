import { join } from 'node:path';
import fc from 'fast-check';
import { git, temporaryFolder, tryGit } from './git.js';

interface File {
  readonly mode: '100644' | '100755' | '120000';
  readonly content: string;
}
type Tree = ReadonlyMap<string, File>;

/** One side of a history: its last commit, by its mark, and the tree of that. */
interface Side {
  readonly mark: number;
  readonly tree: Tree;
}

const ACTS = [
  'edit',
  'edit',
  'edit',
  'insert',
  'add',
  'delete',
  'rename',
  'move folder',
  'mode',
  'merge',
  'cross',
] as const;

interface Step {
  readonly side: 0 | 1;
  readonly act: (typeof ACTS)[number];
  readonly file: number;
  readonly place: number;
  readonly word: number;
}

/** Some can't be there at once: `a` is a file or a folder. */
const PATHS = ['a', 'b', 'c.txt', 'dir/a', 'dir/b', 'dir/deep/c', 'lib/a', 'a/x', 'é "q"\tz'];
const LINES = 14;

/** Two branches that grow from one commit, by what people do to files. */
export const HISTORY: fc.Arbitrary<readonly Step[]> = fc.array(
  fc.record({
    side: fc.constantFrom(0 as const, 1 as const),
    act: fc.constantFrom(...ACTS),
    file: fc.nat(20),
    place: fc.nat(LINES - 1),
    word: fc.nat(4),
  }),
  { minLength: 2, maxLength: 16 },
);

const linesOf = (name: string): string[] => Array.from({ length: LINES }, (_, line) => `${name} line ${line}`);
const textOf = (lines: readonly string[]): string => `${lines.join('\n')}\n`;
const fits = (tree: Tree, path: string): boolean =>
  ![...tree.keys()].some((other) => other === path || other.startsWith(`${path}/`) || path.startsWith(`${other}/`));

const FIRST: Tree = new Map(
  ['b', 'c.txt', 'dir/a', 'dir/b', 'dir/deep/c'].map((path) => [
    path,
    { mode: '100644', content: textOf(linesOf(path)) },
  ]),
);

const changed = (tree: Tree, step: Step): Tree => {
  const after = new Map(tree);
  const paths = [...tree.keys()].sort();
  const path = paths[step.file % Math.max(1, paths.length)];
  const file = path === undefined ? undefined : tree.get(path);
  const free = PATHS[step.file % PATHS.length]!;
  const change = (lines: (all: string[]) => void): void => {
    if (path === undefined || file === undefined || file.mode === '120000') return;
    const all = file.content.split('\n').slice(0, -1);
    lines(all);
    after.set(path, { ...file, content: textOf(all) });
  };
  const acts: Record<Step['act'], () => void> = {
    edit: () => change((all) => void all.splice(step.place % Math.max(1, all.length), 1, `word ${step.word}`)),
    insert: () => change((all) => void all.splice(step.place % Math.max(1, all.length), 0, `new ${step.word}`)),
    add: () => {
      const mode = step.word === 4 ? '120000' : '100644';
      if (!fits(after, free)) return;
      after.set(free, { mode, content: mode === '120000' ? `to-${step.place}` : textOf(linesOf(`new ${step.word}`)) });
    },
    delete: () => void (path === undefined || after.delete(path)),
    rename: () => {
      const to = PATHS[(step.file + step.word + 1) % PATHS.length]!;
      if (path === undefined || file === undefined) return;
      after.delete(path);
      after.set(fits(after, to) ? to : path, file);
    },
    'move folder': () => {
      const [from, to] = step.word % 2 === 0 ? ['dir/', 'lib/'] : ['lib/', 'dir/'];
      for (const [old, each] of tree) {
        const moved = `${to}${old.slice(from.length)}`;
        if (!old.startsWith(from) || !fits(after, moved)) continue;
        after.delete(old);
        after.set(moved, each);
      }
    },
    mode: () => {
      if (path === undefined || file === undefined || file.mode === '120000') return;
      after.set(path, { ...file, mode: file.mode === '100644' ? '100755' : '100644' });
    },
    merge: () => undefined,
    cross: () => undefined,
  };
  acts[step.act]();
  return after;
};

/** Somebody's way to bring two trees together: what a merge commit holds is up to whoever makes it. */
const joined = (ours: Tree, theirs: Tree, { word }: Step): Tree => {
  const after = new Map(ours);
  for (const [path, file] of theirs) if (word % 2 === 0 && fits(after, path)) after.set(path, file);
  if (word < 2)
    for (const path of ours.keys()) {
      const other = theirs.get(path);
      if (other !== undefined) after.set(path, other);
    }
  return after;
};

const data = (text: string): string => `data ${Buffer.byteLength(text)}\n${text}\n`;
const quoted = (path: string): string => `"${path.replace(/["\\]/g, '\\$&').replaceAll('\t', '\\t')}"`;

/** The input of `git fast-import` that makes it, as branches of these names. The same input makes the same ids. */
const streamOf = (steps: readonly Step[], names: readonly [string, string]): string => {
  const stream: string[] = [];
  let marks = 0;
  const commit = (tree: Tree, parents: readonly number[]): Side => {
    const mark = (marks += 1);
    const [from, merge] = parents;
    stream.push(
      `commit refs/heads/growing\nmark :${mark}\ncommitter Ada <ada@example.com> ${1_700_000_000 + mark} +0000\n`,
      data(`Commit ${mark}`),
      from === undefined ? '' : `from :${from}\n`,
      merge === undefined ? '' : `merge :${merge}\n`,
      'deleteall\n',
      ...[...tree].map(([path, { mode, content }]) => `M ${mode} inline ${quoted(path)}\n${data(content)}`),
      '\n',
    );
    return { mark, tree };
  };
  const first = commit(FIRST, []);
  const sides: [Side, Side] = [first, first];
  for (const step of steps) {
    const [own, other] = [sides[step.side], sides[step.side === 0 ? 1 : 0]];
    const joins = step.act === 'merge' || step.act === 'cross';
    if (joins && own.mark === other.mark) continue;
    const next = joins
      ? commit(joined(own.tree, other.tree, step), [own.mark, other.mark])
      : commit(changed(own.tree, step), [own.mark]);
    // Each has what the other had before: afterwards there are two commits that both could be merged from.
    const across = step.act === 'cross' ? commit(joined(other.tree, own.tree, step), [other.mark, own.mark]) : other;
    sides[step.side] = next;
    sides[step.side === 0 ? 1 : 0] = across;
  }
  names.forEach((name, index) => stream.push(`reset refs/heads/${name}\nfrom :${sides[index]!.mark}\n\n`));
  stream.push('reset refs/heads/growing\nfrom 0000000000000000000000000000000000000000\n\n');
  return stream.join('');
};

/** What stock git makes of a merge. */
export type MadeByGit = { readonly tree: string } | { readonly paths: readonly string[] };

/** Histories in a store, and a work tree in which stock git merges their branches. */
export class GrownHistories {
  private constructor(
    private readonly store: string,
    readonly folder: string,
  ) {}

  static async beside(store: string): Promise<GrownHistories> {
    const histories = new GrownHistories(store, join(temporaryFolder(), 'work'));
    await histories.grow([]);
    await git(['--git-dir', store, 'worktree', 'add', '--quiet', '--detach', histories.folder, 'ours']);
    return histories;
  }

  /** The ends of the two branches. */
  async grow(steps: readonly Step[]): Promise<[ours: string, theirs: string]> {
    const input = streamOf(steps, ['ours', 'theirs']);
    await git(['--git-dir', this.store, 'fast-import', '--quiet', '--force'], { input });
    const named = await git(['--git-dir', this.store, 'rev-parse', 'ours', 'theirs']);
    const [ours = '', theirs = ''] = named.trim().split('\n');
    return [ours, theirs];
  }

  async mergeInWorkTree([ours, theirs]: readonly [string, string]): Promise<MadeByGit> {
    const cwd = this.folder;
    await git(['checkout', '--quiet', '--force', '--detach', ours], { cwd });
    await git(['clean', '--quiet', '-ffdx'], { cwd });
    const { code, stdout, stderr } = await tryGit(['merge', '--quiet', '--no-ff', '--no-edit', theirs], { cwd });
    if (code === 0) return { tree: (await git(['rev-parse', 'HEAD^{tree}'], { cwd })).trim() };
    const unmerged = (await git(['ls-files', '--unmerged', '-z'], { cwd })).split('\0').filter((line) => line !== '');
    if (unmerged.length === 0) return { paths: standingInTheWay(stdout, `${code}: ${stdout}${stderr}`) };
    // A file that a folder or a link takes the place of is kept beside it, under a name that tells the side.
    const aside = new RegExp(`~(?:HEAD|${theirs})(?:_\\d+)?$`);
    return {
      paths: [...new Set(unmerged.map((line) => line.slice(line.indexOf('\t') + 1).replace(aside, '')))].sort(),
    };
  }
}

const IN_THE_WAY = /^CONFLICT \(implicit dir rename\): Existing file\/dir at (.+) in the way of .* there: (.+)\.$/gm;

/** Git leaves both where they are, and none of them unmerged. */
const standingInTheWay = (said: string, failure: string): string[] => {
  const paths = [...said.matchAll(IN_THE_WAY)].flatMap(([, there = '', moved = '']) => [there, ...moved.split(', ')]);
  if (paths.length === 0) throw new Error(`git merge ended with ${failure}`);
  return [...new Set(paths)].sort();
};

/** One side moves `dir` to `lib`, and leaves a file where the other one's would have to follow. */
export const IN_THE_WAY_OF_A_MOVE: readonly Step[] = [
  { side: 0, act: 'rename', file: 13, place: 0, word: 1 },
  { side: 1, act: 'merge', file: 0, place: 0, word: 0 },
  { side: 1, act: 'delete', file: 5, place: 0, word: 0 },
  { side: 0, act: 'move folder', file: 0, place: 0, word: 0 },
  { side: 0, act: 'edit', file: 0, place: 0, word: 0 },
  { side: 0, act: 'cross', file: 0, place: 0, word: 3 },
];
