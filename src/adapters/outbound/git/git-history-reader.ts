import { LRUCache } from 'lru-cache';
import {
  TooLarge,
  type BlameHunk,
  type Commit,
  type CommitLink,
  type CommitRange,
  type Contributor,
  type Diff,
  type DiffOptions,
  type HistoryReader,
  type ListedTree,
  type LogQuery,
  type ObjectReader,
} from '../../../application/repositories/ports/object-stores.js';
import type { SizedFile } from '../../../domain/repositories/languages.js';
import type { ObjectId } from '../../../domain/repositories/object-id.js';
import { Unavailable } from '../../../domain/shared/domain-error.js';
import { assertObjectId } from './command.js';
import { CommitsInARow } from './commits-in-a-row.js';
import { CountedLines, type LineCount } from './counted-lines.js';
import { CountedPeople } from './counted-people.js';
import { KeptWalks } from './kept-walks.js';
import type { Git } from './git.js';
import { fieldsByChunk, fieldsOf, WALK_MS, walked } from './walked-fields.js';
import { parseBlame } from './parse-blame.js';
import { parseDiff } from './parse-diff.js';
import { readPatch } from './read-patch.js';
import { ToldChanges } from './told-changes.js';
import { TreeLists } from './tree-lists.js';

const EMPTY_TREE = '4b825dc642cb6eb9a060e54bf8d69288fbee4904';
const DIFF_OPTIONS: DiffOptions = {
  files: 1_000,
  bytesPerFile: 200_000,
  bytes: 5_000_000,
  ignoreWhitespace: false,
};
/** Headers of sections and lists of files, beside the patches. */
const DIFF_ROOM = 4_000_000;
const BLAME_MS = 10_000;
/** What blame ends with, having said "file has only … lines". */
const NO_SUCH_LINES = 128;
const BLAME_BYTES = 16 * 1024 * 1024;
const LIST_BYTES = 32 * 1024 * 1024;
/** Forty digits and the end of the line. */
const LINE_BYTES = 41;
const REACHED_KEPT = 100_000;
const MARK = '\u0001';

const linesOf = (bytes: Buffer): string[] =>
  bytes
    .toString('utf8')
    .split('\n')
    .filter((line) => line !== '');

/** As a number: git reads no date from 2100 on. */
const secondsOf = (at: Date): number => Math.max(0, at.getTime() / 1_000);

/** Ids go by the standard input: there may be more of them than a command line holds. */
const rangeLines = ({ tips, not = [] }: CommitRange): string =>
  [...tips.map((id) => `${assertObjectId(id)}\n`), ...not.map((id) => `^${assertObjectId(id)}\n`)].join('');

const logArguments = (query: LogQuery): string[] => {
  const { since, until, author, message, firstParent, order, skip, limit } = query;
  return [
    'rev-list',
    '--stdin',
    `--max-count=${Math.trunc(limit)}`,
    ...(skip === undefined ? [] : [`--skip=${Math.trunc(skip)}`]),
    ...(since === undefined ? [] : [`--max-age=${Math.ceil(secondsOf(since))}`]),
    ...(until === undefined ? [] : [`--min-age=${Math.floor(secondsOf(until))}`]),
    // One argument whatever it holds, and never a pattern; both are asked for where both are given.
    '--fixed-strings',
    '--regexp-ignore-case',
    ...(author === undefined ? [] : [`--author=${author}`]),
    ...(message === undefined ? [] : [`--grep=${message}`]),
    ...(firstParent === true ? ['--first-parent'] : []),
    ...(order === 'topology' ? ['--topo-order'] : []),
  ];
};

const EMPTY_LIST: ListedTree = { length: 0, entries: () => [], find: () => -1 };

export class GitHistoryReader implements HistoryReader {
  /** Whether one commit has another in its history: once true, or not, it stays so. */
  // By size, since room for so many by number would be taken at once.
  readonly #reached = new LRUCache<string, boolean>({ maxSize: REACHED_KEPT, sizeCalculation: () => 1 });

  readonly #lines: CountedLines;
  readonly #walks = new KeptWalks();
  readonly #inARow: CommitsInARow;
  readonly #trees: TreeLists;
  readonly #people: CountedPeople;
  readonly #changes: ToldChanges;

  constructor(
    private readonly git: Git,
    private readonly objects: ObjectReader,
    changeMs?: number,
  ) {
    this.#inARow = new CommitsInARow(objects, this.#reached);
    this.#trees = new TreeLists(git);
    this.#changes = new ToldChanges(git, changeMs);
    this.#lines = new CountedLines(this.#changes);
    this.#people = new CountedPeople(git, async (store, tip, base) =>
      (await this.reachable(store, tip, [base])).has(base),
    );
  }

  async walk(store: string, query: LogQuery): Promise<readonly ObjectId[]> {
    if (query.tips.length === 0) return [];
    return this.#walks.find(store, query, () => this.#walkedIds(store, query));
  }

  async #walkedIds(store: string, query: LogQuery): Promise<readonly ObjectId[]> {
    const few = await this.#inARow.since(store, query);
    if (few !== undefined) return few.slice(0, query.limit);
    const paths = pathsOf(query.path);
    const { bytes } = await this.git.run(
      store,
      { fixed: logArguments(query), ...paths },
      { input: [rangeLines(query)], deadlineMs: WALK_MS },
    );
    return linesOf(bytes);
  }

  async log(store: string, query: LogQuery): Promise<readonly Commit[]> {
    const ids = await this.walk(store, query);
    const commits = await Promise.all(ids.map((id) => this.objects.commit(store, id)));
    return commits.filter((commit) => commit !== undefined);
  }

  async count(store: string, range: CommitRange, path?: string): Promise<number> {
    if (range.tips.length === 0) return 0;
    const { bytes } = await this.git.run(
      store,
      { fixed: ['rev-list', '--count', '--stdin'], ...pathsOf(path) },
      { input: [rangeLines(range)], deadlineMs: WALK_MS },
    );
    return Number(bytes.toString('latin1').trim());
  }

  async distance(store: string, one: ObjectId, other: ObjectId) {
    const ids = [`${assertObjectId(one)}...${assertObjectId(other)}`];
    const { bytes } = await this.git.run(
      store,
      { fixed: ['rev-list', '--left-right', '--count'], ids },
      { deadlineMs: WALK_MS },
    );
    const [ahead = 0, behind = 0] = bytes.toString('latin1').trim().split('\t').map(Number);
    return { ahead, behind };
  }

  async reachable(store: string, from: ObjectId, commits: readonly ObjectId[]): Promise<ReadonlySet<ObjectId>> {
    const unknown = commits.filter((commit) => this.#reached.get(`${from} ${commit}`) === undefined);
    if (unknown.length > 0) {
      const beyond = await this.#beyond(store, from, unknown);
      for (const commit of unknown) this.#reached.set(`${from} ${commit}`, !beyond.has(commit));
    }
    return new Set(commits.filter((commit) => this.#reached.get(`${from} ${commit}`) === true));
  }

  /** Those of some commits that another one does not have in its history. */
  async #beyond(store: string, from: ObjectId, commits: readonly ObjectId[]): Promise<ReadonlySet<ObjectId>> {
    const wanted = new Set(commits);
    const found = new Set<ObjectId>();
    const { bytes, cut } = await this.git.run(
      store,
      { fixed: ['rev-list', '--stdin'] },
      { input: [rangeLines({ tips: commits, not: [from] })], deadlineMs: WALK_MS },
    );
    if (cut) throw new Unavailable('repositories', { cause: new Error('Too many commits to tell what is merged.') });
    for (let at = 0; at < bytes.length; at += LINE_BYTES) {
      const id = bytes.toString('latin1', at, at + LINE_BYTES - 1);
      if (wanted.has(id)) found.add(id);
    }
    return found;
  }

  lineCounts(store: string, commits: readonly ObjectId[]): Promise<ReadonlyMap<ObjectId, LineCount>> {
    return this.#lines.of(store, commits);
  }

  async graph(store: string, range: CommitRange, most: number): Promise<readonly CommitLink[] | undefined> {
    if (range.tips.length === 0) return [];
    const { bytes } = await this.git.run(
      store,
      { fixed: ['rev-list', '--stdin', '--parents', '--topo-order', '--reverse', `--max-count=${most + 1}`] },
      { input: [rangeLines(range)], deadlineMs: WALK_MS },
    );
    const links = linesOf(bytes).map((line) => {
      const [id = '', ...parents] = line.split(' ');
      return { id, parents };
    });
    return links.length > most ? undefined : links;
  }

  async mergeBase(store: string, commits: readonly ObjectId[]): Promise<ObjectId | undefined> {
    const { code, bytes } = await this.git.run(
      store,
      // Of more than two git would take the others for one that merges them.
      { fixed: ['merge-base', ...(commits.length > 2 ? ['--octopus'] : [])], ids: commits },
      { codes: [1], deadlineMs: WALK_MS },
    );
    return code === 0 ? linesOf(bytes)[0] : undefined;
  }

  async diff(store: string, from: ObjectId | null, to: ObjectId, given: Partial<DiffOptions> = {}): Promise<Diff> {
    const limits = { ...DIFF_OPTIONS, ...given };
    const fixed = ['diff-tree', '-r', '-M', '-p', '--raw', '--numstat', '-z', '--full-index', '--no-color'];
    if (limits.ignoreWhitespace) fixed.push('--ignore-all-space');
    const { bytes, cut } = await this.#changes.tell(
      store,
      `${from} ${to}`,
      { fixed: [...fixed, '--no-ext-diff', '--no-textconv'], ids: [from ?? EMPTY_TREE, to] },
      { mostOutput: limits.bytes + DIFF_ROOM },
    );
    return parseDiff(bytes, cut, limits);
  }

  patch(store: string, from: ObjectId, to: ObjectId): Promise<Uint8Array> {
    return readPatch(this.#changes, store, [from, to], DIFF_OPTIONS.bytes + DIFF_ROOM);
  }

  async lastCommits(
    store: string,
    commit: ObjectId,
    folder: string,
    names: readonly string[],
  ): Promise<ReadonlyMap<string, ObjectId>> {
    const wanted = new Set(names);
    const found = new Map<string, ObjectId>();
    const prefix = folder === '' ? '' : `${folder}/`;
    const lines = await walked(this.git, store, {
      fixed: ['log', '-z', `--format=${MARK}%H`, '--name-only', '--no-renames'],
      ids: [commit],
      ...pathsOf(folder),
    });
    let current = '';
    for await (const field of fieldsOf(lines)) {
      const text = field.replace(/^\n/, '');
      if (text.startsWith(MARK)) current = text.slice(1, 41);
      else if (text.startsWith(prefix)) {
        const name = text.slice(prefix.length).split('/')[0] ?? '';
        if (wanted.delete(name)) found.set(name, current);
      }
      if (wanted.size === 0) break;
    }
    return found;
  }

  async blame(
    store: string,
    commit: ObjectId,
    path: string,
    lines?: { readonly from: number; readonly to: number },
  ): Promise<readonly BlameHunk[]> {
    const range = lines === undefined ? [] : [`-L${Math.trunc(lines.from)},${Math.trunc(lines.to)}`];
    const { bytes, cut } = await this.#changes.tell(
      store,
      `${commit}${range.join('')} ${path}`,
      { fixed: ['blame', '--porcelain', ...range], ids: [commit], paths: [path] },
      { deadlineMs: BLAME_MS, mostOutput: BLAME_BYTES, ...(lines === undefined ? {} : { codes: [NO_SUCH_LINES] }) },
    );
    if (cut) throw new TooLarge();
    return parseBlame(bytes.toString('utf8'));
  }

  async listTree(
    store: string,
    commitOrTree: ObjectId,
    path: string,
    { recursive }: { readonly recursive: boolean },
  ): Promise<ListedTree> {
    const folder = await this.objects.entryAt(store, commitOrTree, path);
    if (folder?.mode !== '40000') return EMPTY_LIST;
    return this.#trees.list(store, folder.id, path, recursive);
  }

  async refsContaining(store: string, commit: ObjectId): Promise<readonly string[]> {
    const contains = `--contains=${assertObjectId(commit)}`;
    const { bytes } = await this.git.run(
      store,
      { fixed: ['for-each-ref', '--format=%(refname)', contains, 'refs/heads/', 'refs/tags/'] },
      { deadlineMs: WALK_MS },
    );
    return linesOf(bytes);
  }

  async *fileSizes(store: string, tree: ObjectId): AsyncGenerator<readonly SizedFile[]> {
    let bytes = 0;
    const lines = await walked(this.git, store, { fixed: ['ls-tree', '-r', '-l', '-z', '--full-tree'], ids: [tree] });
    for await (const fields of fieldsByChunk(lines)) {
      bytes += fields.reduce((sum, { length }) => sum + length, 0);
      if (bytes > LIST_BYTES) throw new TooLarge();
      yield fields.map(toSizedFile);
    }
  }

  contributors(store: string, tip: ObjectId): Promise<readonly Contributor[]> {
    return this.#people.count(store, tip);
  }
}

const pathsOf = (path: string | undefined): { readonly paths?: readonly string[] } =>
  path === undefined || path === '' ? {} : { paths: [path] };

/** A line of `ls-tree -l`: mode, type, id and size in columns, and the path after a tab. What is no blob has no size. */
const toSizedFile = (line: string): SizedFile => {
  const tab = line.indexOf('\t');
  const size = Number(line.slice(line.lastIndexOf(' ', tab) + 1, tab));
  return { path: line.slice(tab + 1), mode: line.slice(0, 6), size: Number.isNaN(size) ? 0 : size };
};
