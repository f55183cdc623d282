import { join } from 'node:path';
import type {
  Commit,
  MergePair,
  Merger,
  MergeResult,
  ObjectReader,
} from '../../../application/repositories/ports/object-stores.js';
import { encodeCommit } from '../../../domain/repositories/object-format.js';
import type { ObjectId } from '../../../domain/repositories/object-id.js';
import { assertObjectId } from './command.js';
import type { Git } from './git.js';
import { writeLooseObject } from './loose-objects.js';
import { Quarantine } from './quarantine.js';
import { ToldChanges } from './told-changes.js';

/** Trees that nest one another, and files that were all renamed, keep git busy for longer. */
const MERGE_MS = 15_000;
/** Merges of one child. */
const AT_ONCE = 25;
/** Of two sides that `merge-tree --stdin` was told. */
const CLEAN = '1';
const NOBODY = { name: 'Gatehouse', email: 'gatehouse@localhost', at: new Date(0), offset: 0 };

/** Merges trees by `merge-tree --write-tree`: no work tree, no index. */
export class GitMerger implements Merger {
  readonly #told: ToldChanges;

  constructor(
    private readonly git: Git,
    private readonly objects: ObjectReader,
    mergeMs = MERGE_MS,
  ) {
    this.#told = new ToldChanges(git, mergeMs);
  }

  async merge(store: string, ours: ObjectId, theirs: ObjectId): Promise<MergeResult> {
    const { code, bytes } = await this.#told.tell(
      store,
      mergeOf({ ours, theirs }),
      { fixed: ['merge-tree', '--write-tree', '--name-only', '-z', '--no-messages'], ids: [ours, theirs] },
      { codes: [1] },
    );
    const [tree = '', ...paths] = fieldsOf(bytes).filter((field) => field !== '');
    if (code === 0) return { outcome: 'merged', tree };
    return { outcome: 'conflicts', paths: await this.#pathsOf(store, { ours, theirs }, paths) };
  }

  async conflicts(store: string, pairs: readonly MergePair[]): Promise<readonly (readonly string[])[]> {
    const found: (readonly string[])[] = [];
    if (pairs.length === 0) return found;
    // The trees that git writes while it merges are for nobody.
    const quarantine = await Quarantine.open(this.git, store);
    try {
      for (let start = 0; start < pairs.length; start += AT_ONCE)
        found.push(...(await this.#conflictsOf(store, pairs.slice(start, start + AT_ONCE), quarantine.folder)));
      return found;
    } finally {
      await quarantine.settle();
    }
  }

  async #conflictsOf(store: string, pairs: readonly MergePair[], quarantine: string) {
    const lines = pairs.map(({ ours, theirs }) => `${assertObjectId(ours)} ${assertObjectId(theirs)}\n`);
    const { bytes } = await this.#told.tell(
      store,
      pairs.map(mergeOf).join(),
      { fixed: ['merge-tree', '--write-tree', '--stdin', '--name-only', '--no-messages'] },
      { input: [lines.join('')], quarantine, passing: true },
    );
    const answers = fieldsOf(bytes);
    const found: (readonly string[])[] = [];
    for (const pair of pairs) {
      // Whether it is clean, its tree, and the paths up to an empty one.
      const [clean] = answers.splice(0, 2);
      const paths = answers.splice(0, answers.indexOf('') + 1).slice(0, -1);
      found.push(clean === CLEAN ? [] : await this.#pathsOf(store, pair, paths));
    }
    return found;
  }

  /** Where two sides clash: what is unmerged, and where nothing is, what git says about it. */
  async #pathsOf(store: string, { ours, theirs }: MergePair, unmerged: readonly string[]): Promise<readonly string[]> {
    const paths = unmerged.length > 0 ? unmerged : await this.#pathsToldOf(store, ours, theirs);
    return [...new Set(paths.map((path) => withoutSide(path, [ours, theirs])))];
  }

  /** A folder that one side moved may hold a file where the other side's would have to go: git refuses and leaves both as they are. */
  async #pathsToldOf(store: string, ours: ObjectId, theirs: ObjectId): Promise<readonly string[]> {
    const { bytes } = await this.#told.tell(
      store,
      mergeOf({ ours, theirs }),
      { fixed: ['merge-tree', '--write-tree', '--name-only', '-z', '--messages'], ids: [ours, theirs] },
      { codes: [1] },
    );
    const fields = fieldsOf(bytes);
    // Its tree and nothing unmerged; then messages, each of which is how many paths it has, these, its kind and its text.
    fields.splice(0, fields.indexOf('') + 1);
    const told: string[] = [];
    while (fields.length > 1) {
      const paths = fields.splice(0, Number(fields.shift()));
      const [kind = ''] = fields.splice(0, 2);
      if (kind.startsWith('CONFLICT')) told.push(...paths);
    }
    if (told.length === 0) throw new Error(`Git does not say where ${ours} and ${theirs} clash.`);
    return told;
  }

  async pick(store: string, onto: ObjectId, commit: Commit, parent: ObjectId): Promise<MergeResult> {
    return this.replay(store, await this.#treeOf(store, onto), commit, parent);
  }

  async replay(store: string, tree: ObjectId, commit: Commit, parent: ObjectId): Promise<MergeResult> {
    const ours = await this.#standIn(store, tree, parent);
    return this.merge(store, ours, await this.#standIn(store, commit.tree, parent));
  }

  async revert(store: string, onto: ObjectId, commit: Commit, parent: ObjectId): Promise<MergeResult> {
    const ours = await this.#standIn(store, await this.#treeOf(store, onto), commit.id);
    return this.merge(store, ours, await this.#standIn(store, await this.#treeOf(store, parent), commit.id));
  }

  /** A commit that makes git find the wanted base: git 2.39 can't be told one. Nothing refers to it; maintenance removes it. */
  #standIn(store: string, tree: ObjectId, parent: ObjectId): Promise<ObjectId> {
    const commit = encodeCommit({ tree, parents: [parent], author: NOBODY, committer: NOBODY, message: '' });
    return writeLooseObject(join(this.git.folders.of(store), 'objects'), commit);
  }

  async #treeOf(store: string, id: ObjectId): Promise<ObjectId> {
    const commit = await this.objects.commit(store, id);
    if (commit === undefined) throw new Error(`The commit ${id} is missing.`);
    return commit.tree;
  }
}

const mergeOf = ({ ours, theirs }: MergePair): string => `${ours} + ${theirs}`;

const fieldsOf = (bytes: Buffer): string[] => bytes.toString('utf8').split('\0');

/** Git names a file `path~side` when a folder or a link takes its place: people know it by its path. */
const withoutSide = (path: string, sides: readonly ObjectId[]): string => {
  const mark = path.lastIndexOf('~');
  const named = sides.some((side) => path.slice(mark + 1).replace(/_\d+$/, '') === side);
  return mark > 0 && named ? path.slice(0, mark) : path;
};
