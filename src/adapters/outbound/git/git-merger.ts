import { join } from 'node:path';
import type {
  Commit,
  Merger,
  MergeResult,
  ObjectReader,
} from '../../../application/repositories/ports/object-stores.js';
import { encodeCommit } from '../../../domain/repositories/object-format.js';
import type { ObjectId } from '../../../domain/repositories/object-id.js';
import type { Git } from './git.js';
import { writeLooseObject } from './loose-objects.js';

const MERGE_MS = 30_000;
const NOBODY = { name: 'Gatehouse', email: 'gatehouse@localhost', at: new Date(0), offset: 0 };

/** Merges trees by `merge-tree --write-tree`: no work tree, no index. */
export class GitMerger implements Merger {
  constructor(
    private readonly git: Git,
    private readonly objects: ObjectReader,
  ) {}

  async merge(store: string, ours: ObjectId, theirs: ObjectId): Promise<MergeResult> {
    const { code, bytes } = await this.git.run(
      store,
      { fixed: ['merge-tree', '--write-tree', '--name-only', '-z', '--no-messages'], ids: [ours, theirs] },
      { codes: [1], deadlineMs: MERGE_MS },
    );
    const [tree = '', ...paths] = bytes
      .toString('utf8')
      .split('\0')
      .filter((field) => field !== '');
    if (code === 0) return { outcome: 'merged', tree };
    return { outcome: 'conflicts', paths: [...new Set(paths.map((path) => withoutSide(path, [ours, theirs])))] };
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

/** Git names a file `path~side` when a folder or a link takes its place: people know it by its path. */
const withoutSide = (path: string, sides: readonly ObjectId[]): string => {
  const mark = path.lastIndexOf('~');
  const named = sides.some((side) => path.slice(mark + 1).replace(/_\d+$/, '') === side);
  return mark > 0 && named ? path.slice(0, mark) : path;
};
